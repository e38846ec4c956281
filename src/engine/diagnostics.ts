import {
  EXCERPT_CHARS,
  MAX_NS,
  MIN_NS,
  SECOND_NS,
  defineDiagnostics,
  formatRfc3339,
  type Interval,
} from '../base/index.ts'
import type { TimesMet } from '../plan/index.ts'

function excerpt(text: string): string {
  return text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Formats a time without fractions of a second. The compared times are minutes or years apart. */
function timeText(ns: bigint): string {
  return formatRfc3339(ns - (((ns % SECOND_NS) + SECOND_NS) % SECOND_NS), true)
}

function rangeText({ startNs, endNs }: Interval): string {
  if (endNs === MAX_NS) return `at or after ${timeText(startNs)}`
  return startNs === MIN_NS ? `before ${timeText(endNs)}` : `between ${timeText(startNs)} and ${timeText(endNs)}`
}

export const engineDiagnostic = defineDiagnostics('engine', {
  'unknown-backend': (d: { name: string; known: readonly string[] }) => ({
    message: `There is no backend named \`${d.name}\`.`,
    why: `There are ${list(d.known)}.`,
  }),
  'unknown-rule': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no optimizer rule named \`${d.name}\`.${d.near.length === 0 ? '' : ` Nearest: ${list(d.near)}.`}`,
  }),
  'no-backend': (_: object) => ({
    message: 'There is nothing to run the query on.',
    why: 'The engine was made without tables and without backends: `createEngine({ tables: { name: objects } })`.',
  }),
  'no-compiler': (d: { name: string | undefined }) => ({
    message:
      d.name === undefined
        ? 'Nothing here writes statements.'
        : `\`${d.name}\` does not run statements, so there is none.`,
    why: 'With `compiler: sqliteStatements()` from `sluice/sqlite` there is one for SQLite; no database is needed.',
  }),
  'statement-under-scope': (_: object) => ({
    message: 'Under a data scope no statement is shown.',
    why: 'It is made from what is known of all stored values, those out of sight included. `explain` shows the plan.',
  }),
  'not-a-scope': (d: { table: string | undefined }) => ({
    message:
      d.table === undefined
        ? 'A scope is an object of filters by table, or a function.'
        : `The scope of \`${d.table}\` is no text.`,
    why: `A filter of each table that may be read: \`scope: { ${d.table ?? 'orders'}: 'tenant:="a"' }\`; \`*\` shows all rows.`,
  }),
  'unreadable-scope': (d: { table: string; text: string; message: string; place: number | undefined }) => ({
    message: `The scope of \`${d.table}\` cannot be read: ${d.message}`,
    why: `It is \`${d.text}\`${d.place === undefined ? '' : `, at character ${d.place}`}. A filter such as \`tenant:="a"\` stands here, or \`*\` for all rows.`,
  }),
  'unknown-scope-table': (d: { table: string; near: readonly string[] }) => ({
    message: `The scope is about \`${d.table}\`, but there is no such table.${d.near.length === 0 ? '' : ` Nearest: ${list(d.near)}.`}`,
    why: 'Tables that a scope does not name show no row, so a wrong name would hide the right table.',
  }),
  'scope-with-query': (d: { table: string; text: string }) => ({
    message: `The scope of \`${d.table}\` has a query inside: \`${d.text}\`.`,
    why: 'A scope tests each row by itself. List the values, as in `tenant:in("a", "b")`.',
  }),
  'empty-range': ({ range, times }: { range: Interval; times: TimesMet }) => {
    const rows = times.isWhole ? 'the rows lie' : 'such rows lie'
    const [first, last] = [timeText(times.firstNs), timeText(times.lastNs)]
    return {
      severity: 'warning',
      message: `No row${times.isWhole ? '' : ' that may match'} lies ${rangeText(range)}; ${rows} ${first === last ? `at ${first}` : `between ${first} and ${last}`}.`,
    }
  },
  'no-numbers': (d: { fn: string; field: string; rows: number; value: string }) => ({
    severity: 'warning',
    message: `\`${d.fn}\` leaves out ${d.rows} ${d.rows === 1 ? 'value' : 'values'} of \`${excerpt(d.field)}\` that ${d.rows === 1 ? 'is' : 'are'} no number, such as \`${excerpt(d.value)}\`.`,
    why: 'Numbers look like `12.5`, `1e3`, `10KB` or `5m`. `extract` or `replace` takes a number out of a text before it is added.',
  }),
  'subquery-first': (_: object) => ({
    message: 'The statement depends on a subquery, which runs first.',
    why: 'Its values stand in the statement; `explain` shows both plans.',
  }),
  'not-under-scope': (d: { name: string }) => ({
    message: `\`${d.name}\` is not available to a caller who sees a part of the data only.`,
    why: 'It tells how rows are stored and what was read, and so of rows that are out of sight.',
  }),
  'nested-query': (_: object) => ({
    message: 'A query with a subquery cannot run on several nodes.',
    why: 'The subquery would see the rows of one node only. Run it first, and write its values into the outer query.',
  }),
  'unsupported-node': (d: { backend: string; node: string; reason: string }) => ({
    message: `No backend can run \`${d.node}\`: ${d.reason}`,
    why: `\`${d.backend}\` was tried last.`,
  }),
  'reversed-range': (d: { startNs: string; endNs: string }) => ({
    message: 'The time range ends before it starts.',
    why: `It goes from ${d.startNs} to ${d.endNs}.`,
  }),
  'bad-zone': (d: { zone: string }) => ({
    message: `The option \`zone\` needs a time zone, not \`${d.zone}\`.`,
    why: 'Zones are those of the IANA database such as `Europe/Berlin`, or offsets such as `+02:00`.',
  }),
  'answer-cut': (d: { limit: number }) => ({
    message: `The answer has more than ${d.limit} rows; the rest are left out.`,
    why: 'A `limit` in the query says which rows are wanted; `limits.answerRows` says how many a caller takes.',
    severity: 'warning',
  }),
  'worker-lost': (_: object) => ({
    message: 'The worker that ran the query is gone.',
    why: 'Another query may have been the cause; the same request can be sent again.',
  }),
  'subquery-too-large': (d: { limit: number }) => ({
    message: `A subquery gives more than ${d.limit} values.`,
    why: 'Every value is compared with every row. A tighter filter in the subquery, or a `join`, does it for less.',
  }),
  'bridge-too-large': (d: { limit: number; backend: string; reason: string }) => ({
    message: `More than ${d.limit} rows would have to leave \`${d.backend}\` for a stage it cannot run.`,
    why: [
      ...(d.reason === '' ? [] : [`${d.reason}.`]),
      'A filter, `stats` or `limit` before that stage makes them fewer; `explain` shows which stage it is.',
    ],
  }),
})
