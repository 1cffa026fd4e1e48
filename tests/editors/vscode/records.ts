/** The records that the tests read: as people write them, and as they are hard on editors. */

/** One record, as `ctxls import` reads it from a line of JSON. */
export interface Written {
  readonly threadId: string;
  readonly source: "agent" | "user";
  readonly text: string;
}

const ROLLBACK = `# Rollback plan

Written by the release agent after the 🧭 dry run of Monday.

## When to roll back

- 🚨 more than 2 % of the bookings fail
- 🧭 \`seat_count\` is not what [[Seat map]] says

## Steps

1. Freeze the queue: \`queuectl freeze\`
2. Restore the snapshot of the night

\`\`\`python
def restore(snapshot):
    return snapshot.copy()  # never in place
\`\`\`

### Check afterwards

| What | Who |
|---|---|
| bookings | the person **on duty** |

## Who to call

See [[Seats sold twice]], where we learnt it.
`;

const SEATS = `# Seat map

Every coach has its seats in rows of four.

## Rows

Rows are counted from the engine.

## Rows

Sleepers count from the other end.

## The number of seats

🧭🧭 seat_count is the sum over all coaches.
`;

const INCIDENT = `# Seats sold twice

Two people held a ticket for coach 7, seat 42.

## What happened

The snapshot was a day old. 🚨 Nobody had read the rollback plan.
`;

const SLOW = `# 検索が遅い

索引は三日前に作られた。

## 原因

🧭 索引が古い。
`;

const SHELL = `# How $(date) broke the build

A shell ran it. 🧭 Quote your scripts.
`;

/** Records as agents and people write them. */
export const USUAL: readonly Written[] = [
  { threadId: "design", source: "user", text: SHELL },
  { threadId: "incidents", source: "agent", text: SLOW },
  { threadId: "incidents", source: "agent", text: INCIDENT },
  { threadId: "design", source: "agent", text: SEATS },
  { threadId: "deploy/night", source: "agent", text: ROLLBACK },
];

/** More records than one page of the quick pick holds; the first one is the oldest. */
export const MANY: readonly Written[] = Array.from({ length: 1_200 }, (_, number) => ({
  threadId: `shift/${number % 7}`,
  source: "agent",
  text: `# Note ${number} of the night\n\n🧭 Nothing to tell.\n`,
}));

/** A record whose ends of line, or whose characters, editors treat in ways of their own. */
export interface Odd {
  readonly title: string;
  readonly text: string;
  /** What the editor is expected to hold. */
  readonly shown: string;
}

const BODY = ["# TITLE", "", "first 🧭 needle here", "", "## Second", "", "🧭🧭 needle again", ""];

/** Make a record with these line ends in turn, something before its text, and more in a line. */
function odd(title: string, ends: readonly string[], first = "", middle = ""): Odd {
  const lines = BODY.map((line) => line.replace("TITLE", title));
  lines[2] += middle;
  const ended = lines.slice(0, -1).map((line, at) => line + ends[at % ends.length]);
  const text = first + ended.join("");
  return { title, text, shown: lines.join(mostEnds(text)) };
}

/** The editor gives a text one kind of line end: CRLF where more than half of them have a CR. */
function mostEnds(text: string): string {
  const ends = text.match(/\r\n?|\n/g) ?? [];
  return ends.filter((end) => end !== "\n").length * 2 > ends.length ? "\r\n" : "\n";
}

const NUL = odd("NUL", ["\n"], "", " a\0b 🧭 distant");

/** Records that are hard on editors. */
export const ODD: readonly Odd[] = [
  odd("Plain", ["\n"]),
  odd("Carriage return and line feed", ["\r\n"]),
  odd("Lone carriage return", ["\r"]),
  odd("Mixed ends", ["\r\n", "\n", "\r", "\r", "\n", "\r\n", "\n"]),
  odd("Byte order mark", ["\n"], "\ufeff"),
  odd("Line separator", ["\n"], "", " a\u2028b\u2029c\u0085d\fe 🧭 distant"),
  { ...NUL, shown: NUL.text.replace("\0", "\u2400") },
  odd("Long line", ["\n"], "", ` ${"x ".repeat(50_000)}🧭 distant ${"y ".repeat(100)}`),
];
