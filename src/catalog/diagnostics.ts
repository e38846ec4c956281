import { defineDiagnostics, replaceWith, type Span } from '../base/index.ts'

function quoted(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

function nearNotes(near: readonly string[], known: readonly string[]): readonly string[] {
  return [
    ...(near.length > 0 ? [`Did you mean ${quoted(near)}?`] : []),
    ...(known.length > 0 && known.length <= 24 ? [`Known here: ${quoted(known)}.`] : []),
  ]
}

/** Returns a fix that inserts the most similar name, if there is one. */
function nearFix(near: readonly string[]): {
  readonly fixes?: (span: Span) => readonly ReturnType<typeof replaceWith>[]
} {
  const [first] = near
  return first === undefined
    ? {}
    : { fixes: (span) => [replaceWith(span, /^[\w.-]+$/.test(first) ? first : JSON.stringify(first))] }
}

export const catalogDiagnostic = defineDiagnostics('catalog', {
  'not-yaml': (d: { reason: string }) => ({ message: `The catalog is not YAML: ${d.reason}` }),
  'too-large': (d: { limit: string }) => ({ message: `The catalog is larger than ${d.limit}.` }),
  'unknown-member': (d: { name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `There is no member \`${d.name}\` here.`,
    why: nearNotes(d.near, d.known),
    ...nearFix(d.near),
  }),
  'unknown-word': (d: { word: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `\`${d.word}\` is not known here.`,
    why: nearNotes(d.near, d.known),
    ...nearFix(d.near),
  }),
  'wrong-value': (d: { expected: string }) => ({ message: `Expected ${d.expected} here.` }),
  'missing-member': (d: { name: string }) => ({ message: `The member \`${d.name}\` is missing.` }),
  'no-tables': (_: Record<never, never>) => ({
    message: 'The catalog has no tables.',
    why: '`sluice catalog infer` proposes those of a database.',
  }),
  'no-connection': (d: { name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `There is no connection \`${d.name}\`.`,
    why: nearNotes(d.near, d.known),
    ...nearFix(d.near),
  }),
  'which-connection': (d: { table: string; known: readonly string[] }) => ({
    message: `The table \`${d.table}\` does not say which connection it is of.`,
    why: `Write \`connection:\` with one of ${quoted(d.known)}.`,
  }),
  'secret-in-file': (d: { what: string }) => ({
    message: `The ${d.what} stands in the file itself.`,
    why: 'Whoever reads the catalog would have it. Write `$NAME`, and put it into the environment variable of that name.',
  }),
  'no-variable': (d: { name: string }) => ({
    message: `The environment variable \`${d.name}\` is not set.`,
    why: 'User and password are taken from the environment when the connection is opened.',
  }),
  'needs-member': (d: { engine: string; name: string; why: string }) => ({
    message: `A connection to ${d.engine} needs \`${d.name}\`.`,
    why: d.why,
  }),
  'useless-member': (d: { engine: string; name: string }) => ({
    message: `\`${d.name}\` means nothing for ${d.engine}.`,
  }),
  'files-need-duckdb': (d: { engine: string }) => ({
    message: `Files are read by DuckDB, not by ${d.engine}.`,
    why: 'A connection with `engine: duckdb` and nothing else reads them.',
  }),
  'two-sources': (_: Record<never, never>) => ({ message: 'Either `table` or `files` can be given, not both.' }),
  'file-format': (d: { path: string }) => ({
    message: `How the file \`${d.path}\` is written cannot be told from its name.`,
    why: 'Write `format:` with one of `parquet`, `csv`, `json`, `arrow`.',
  }),
  'no-column': (d: { column: string; table: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `The table \`${d.table}\` has no column \`${d.column}\`.`,
    why: nearNotes(d.near, d.known),
    ...nearFix(d.near),
  }),
  'no-field': (d: { field: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `No field and no column is named \`${d.field}\`.`,
    why: nearNotes(d.near, d.known),
    ...nearFix(d.near),
  }),
  'no-time': (d: { table: string; candidates: readonly string[] }) => ({
    message: `No column of \`${d.table}\` is known to be the time of a row.`,
    why: [
      'Rows are read by time and come newest first: write `time:` with the column.',
      ...(d.candidates.length > 0 ? [`Columns that could be: ${quoted(d.candidates)}.`] : []),
      'Where none is: `time: { arrival: true }` gives all rows the time at which the catalog is opened.',
    ],
  }),
  'which-time': (d: { table: string; candidates: readonly string[] }) => ({
    message: `Several columns of \`${d.table}\` are times, and none has a usual name: ${quoted(d.candidates)}.`,
    why: 'Rows are read by time and come newest first: write `time:` with the one that is the time of a row.',
  }),
  'arrival-of-dated': (d: { table: string }) => ({
    message: `\`${d.table}\` has a column \`_time\`, which is where rows without a time have that of the catalog.`,
    why: 'Leave `time` out, or name the column: `time: _time`.',
  }),
  'not-a-time': (d: { column: string; type: string; unit: string; fits: string }) => ({
    message: `The column \`${d.column}\` is \`${d.type}\`, which is not a time as \`${d.unit}\`.`,
    why: d.fits,
  }),
  'time-unit': (d: { column: string; type: string; sample?: string | undefined }) => ({
    message: `Nothing tells how the values of \`${d.column}\` are times.`,
    why: [
      d.sample === undefined
        ? `Its type is \`${d.type}\` and it has no rows to look at.`
        : `One of them is \`${d.sample}\`: neither a text such as \`2026-01-02 03:04:05.678Z\` nor seconds, milliseconds, microseconds or nanoseconds since 2001, or not all are alike.`,
      `Where they are numbers since 1970, write \`time: { column: ${d.column}, unit: ms }\`, or \`s\`, \`us\`, \`ns\`.`,
    ],
  }),
  'wrong-type': (d: { field: string; type: string; nativeType: string; can: readonly string[] }) => ({
    message: `The field \`${d.field}\` cannot be \`${d.type}\`: its column is \`${d.nativeType}\`.`,
    why: `It can be ${d.can.map((each) => `\`${each}\``).join(' or ')}.`,
  }),
  'same-field': (d: { name: string; other: string }) => ({
    message: `Two fields are named \`${d.name}\`.`,
    why: `The other one is ${d.other}. Name one of them otherwise, or hide its column with \`hidden:\`.`,
  }),
  'alias-hides': (d: { alias: string; field: string }) => ({
    message: `The alias \`${d.alias}\` would hide the field of that name.`,
    why: `Queries for \`${d.alias}\` would find \`${d.field}\`. Leave the alias out, or hide the column \`${d.alias}\`.`,
  }),
  'same-alias': (d: { alias: string; first: string; second: string }) => ({
    message: `\`${d.alias}\` is an alias of two fields, \`${d.first}\` and \`${d.second}\`.`,
  }),
  'not-attributes': (d: { column: string; type: string; kind: string }) => ({
    message: `The column \`${d.column}\` is \`${d.type}\`, which cannot hold attributes as \`${d.kind}\`.`,
    why: 'Attributes are a map, JSON or struct column.',
  }),
  'not-inside': (d: { column: string; type: string }) => ({
    message: `The column \`${d.column}\` is \`${d.type}\`, which has nothing inside to name by \`path\`.`,
  }),
  'words-need-text': (_: Record<never, never>) => ({
    message: 'An index of words is one of the text field, and this table has none.',
    why: 'Write `text:` with the field that bare words search.',
  }),
  'words-of-engine': (d: { kind: string; engine: string; known: readonly string[] }) => ({
    message: `${d.engine} has no index of words of the kind \`${d.kind}\`.`,
    why: d.known.length > 0 ? `It has ${quoted(d.known)}.` : 'Leave `words` out.',
  }),
  'words-of-table': (d: { table: string; isThere: boolean }) => ({
    message: d.isThere
      ? `The words of the full-text table \`${d.table}\` are not ours: rows would be lost.`
      : `There is no full-text table \`${d.table}\` of fts5.`,
    why: 'It needs the tokenizer `unicode61`, `ascii`, `porter` over one of them, each without options for characters but `tokenchars _` of `unicode61`, or `trigram` without case.',
  }),
  'is-away': (d: { connection: string; reason: string }) => ({
    message: `The database \`${d.connection}\` does not answer: ${d.reason}`,
    why: 'Queries over its tables are answered again once it does.',
  }),
  'no-database': (d: { where: string; reason: string }) => ({
    message: `\`${d.where}\` cannot be looked at: ${d.reason}.`,
  }),
})
