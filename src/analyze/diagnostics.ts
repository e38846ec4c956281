import { EXCERPT_CHARS, defineDiagnostics, replaceWith, type Severity } from '../base/index.ts'
import { printName } from '../plan/index.ts'

function suggestions(near: readonly string[]): string {
  return near.length === 0 ? '' : ` Nearest: ${near.map((name) => `\`${name}\``).join(', ')}.`
}

function fixes(near: readonly string[]): (span: { start: number; end: number }) => ReturnType<typeof replaceWith>[] {
  return (span) => near.map((name) => replaceWith(span, printName(name), `Write \`${name}\``))
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function expected(min: number, max: number): string {
  if (max === Infinity) return `at least ${plural(min, 'argument')}`
  return min === max ? plural(min, 'argument') : `${min} to ${max} arguments`
}

/** A name and the number of rows that have it. */
interface Counted {
  readonly name: string
  readonly rows: number
}

function shown(name: string): string {
  return name.length > EXCERPT_CHARS ? `${name.slice(0, EXCERPT_CHARS)}…` : name
}

function counted(names: readonly Counted[]): string {
  return names.map(({ name, rows }) => `\`${shown(name)}\`${rows === 0 ? '' : ` (${plural(rows, 'row')})`}`).join(', ')
}

/**
 * Lists the names or values that rows have instead of the unknown one. `rows` is the number of rows that were read,
 * `undefined` for all.
 */
function instead(near: readonly Counted[], others: readonly Counted[], rows: number | undefined): string {
  const among = rows === undefined ? '' : ` among ${plural(rows, 'row')}`
  if (near.length > 0) return ` Nearest${among}: ${counted(near)}.`
  return others.length === 0 ? '' : ` There are${among} ${counted(others)}.`
}

export const analyzeDiagnostic = defineDiagnostics('analyze', {
  'unknown-table': (d: { name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `There is no table named \`${d.name}\`.${suggestions(d.near)}`,
    why: `The tables are ${d.known.map((name) => `\`${name}\``).join(', ')}.`,
  }),
  'unknown-column': (d: { name: string; near: readonly string[]; severity: Severity; isSource: boolean }) => ({
    severity: d.severity,
    message: `There is no column \`${d.name}\` at this point.${suggestions(d.near)}`,
    why: 'The table, or a stage before it, fixes the columns: `fields`, `stats` and `uniq` leave only those they name.',
    // A fix can replace the name only if `isSource` says that the span is the name itself, not a whole filter or pipe.
    fixes: d.isSource ? fixes(d.near) : undefined,
  }),
  'unknown-field': (d: {
    name: string
    table: string
    near: readonly Counted[]
    others: readonly Counted[]
    /** Number of rows that were read; `undefined` for all. */
    rows: number | undefined
  }) => ({
    severity: 'warning',
    message: `No row has the field \`${shown(d.name)}\`.${instead(d.near, d.others, d.rows)}`,
  }),
  'unseen-value': (d: {
    field: string
    value: string
    near: readonly Counted[]
    others: readonly Counted[]
    rows: number | undefined
  }) => ({
    severity: 'warning',
    message: `No row has \`${shown(d.value)}\` as \`${shown(d.field)}\`.${instead(d.near, d.others, d.rows)}`,
  }),
  'no-text-field': (d: { field: string; severity: Severity }) => ({
    severity: d.severity,
    message: `A bare word searches \`${d.field}\`, which is not a column at this point.`,
    why: 'The stages before it fix the columns. Name the field to search: `field:word`.',
  }),
  'name-text-field': (d: { severity: Severity }) => ({
    severity: d.severity,
    message: 'The table has no text field, so the field to read must be named here.',
    why: 'Pipes such as `extract` and `unpack_json` read the text field of the table unless told otherwise: `from field`.',
  }),
  'unknown-scalar': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no function named \`${d.name}\`.${suggestions(d.near)}`,
  }),
  'unknown-stats': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no stats function named \`${d.name}\`.${suggestions(d.near)}`,
  }),
  'unknown-row-function': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no row function named \`${d.name}\`.${suggestions(d.near)}`,
  }),
  'unknown-table-function': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no table function named \`${d.name}\`.${suggestions(d.near)}`,
  }),
  'wrong-arguments': (d: { name: string; min: number; max: number; count: number }) => ({
    message: `\`${d.name}\` takes ${expected(d.min, d.max)}, not ${d.count}.`,
  }),
  'wrong-parameters': (d: { name: string; names: readonly string[]; count: number }) => ({
    message: `\`${d.name}\` takes ${d.names.length === 0 ? 'no parameter' : `the parameters ${d.names.map((name) => `\`${name}\``).join(', ')}`}, and got ${d.count}.`,
  }),
  'wrong-parameter-type': (d: { name: string; parameter: string; wanted: string }) => ({
    message: `The parameter \`${d.parameter}\` of \`${d.name}\` must be a ${d.wanted}.`,
  }),
  'duplicate-result': (d: { name: string }) => ({
    message: `Two results are called \`${d.name}\`.`,
    why: `Give one of them another name: \`as ${d.name}_2\`.`,
  }),
  'result-is-key': (d: { name: string }) => ({
    message: `The result \`${d.name}\` has the name of a group key.`,
    why: 'A row has one value per name. Give the result another name with `as`.',
  }),
  'duplicate-key': (d: { name: string }) => ({
    message: `Two different group keys are called \`${d.name}\`.`,
  }),
  'unknown-stream-field': (d: { name: string; fields: readonly string[]; severity: Severity }) => ({
    severity: d.severity,
    message: `\`${d.name}\` is not a stream field here.`,
    why:
      d.fields.length === 0
        ? 'The rows have no stream fields. Write an ordinary filter: `field:value`.'
        : `Stream filters reach ${d.fields.map((name) => `\`${name}\``).join(', ')}. For other fields write an ordinary filter: \`field:value\`.`,
  }),
  'subquery-columns': (d: { count: number; isOpen: boolean }) => ({
    message: d.isOpen
      ? 'The subquery gives whole rows; it must give one column.'
      : `The subquery gives ${plural(d.count, 'column')}; it must give one.`,
    why: 'End it with `| fields name` or `| uniq by (name)`.',
  }),
  'bad-regexp': (d: { pattern: string; reason: string }) => ({
    message: `This is not a valid regular expression: ${d.reason}`,
    why: 'Patterns are in RE2 syntax: no look-around and no back-references, so that every match takes linear time.',
  }),
})
