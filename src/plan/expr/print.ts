import { formatRfc3339 } from '../../base/index.ts'
import { Instant, JsonText, toText, type Bucket, type Value, type ValueTest } from '../../data/index.ts'
import { printFieldPattern } from '../field-pattern.ts'
import type { Expr, ExprKind, ExprOf, MatchRequest } from './index.ts'

export function printValue(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Instant) return `@${formatRfc3339(value.ns, true)}`
  if (value instanceof JsonText) return `json:${value.json}`
  return toText(value)
}

function printTexts(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ')
}

export function printTest(test: ValueTest): string {
  const fold = 'isFolded' in test && test.isFolded ? 'i:' : ''
  switch (test.kind) {
    case 'empty':
      return 'is empty'
    case 'equals':
      return `= ${fold}${printValue(test.value)}${test.isTyped ? '' : ' as text'}`
    case 'in':
      return `in ${fold}(${test.values.map(printValue).join(', ')})${test.isTyped ? '' : ' as text'}`
    case 'phrase':
    case 'phrase-prefix':
    case 'starts-with':
    case 'contains':
      return `${test.kind} ${fold}${JSON.stringify(test.text)}`
    case 'glob':
      return `glob ${fold}${test.parts.map((part) => JSON.stringify(part)).join('*')}`
    case 'regexp':
      return `~ ${fold}${JSON.stringify(test.pattern)}`
    case 'range':
      return `in ${test.isMinIncluded ? '[' : '('}${toText(test.min)}, ${toText(test.max)}${test.isMaxIncluded ? ']' : ')'}`
    case 'compare-text':
      return `text-${test.op} ${JSON.stringify(test.text)}`
    case 'string-range':
      return `in text [${JSON.stringify(test.min)}, ${JSON.stringify(test.max)})`
    case 'time-range':
      return `in time [${test.range.startNs}, ${test.range.endNs})`
    case 'sequence':
    case 'contains-all':
    case 'contains-any':
      return `${test.kind} ${fold}(${printTexts(test.phrases)})`
    case 'named':
      return `${test.name}(${test.args.map(printValue).join(', ')})`
  }
}

function printRequest(request: MatchRequest): string {
  switch (request.kind) {
    case 'value':
      return `${request.dialect} ${JSON.stringify(request.text)}${request.isQuoted ? ' quoted' : ''}`
    case 'pattern':
      return `${request.dialect} ${request.parts.map((part) => JSON.stringify(part)).join('*')}`
    case 'test':
      return `${printTest(request.test)}${request.isAlternative ? ' alternative' : ''}`
  }
}

function printBucket(bucket: Bucket): string {
  switch (bucket.kind) {
    case 'number':
      return `${bucket.step}${bucket.offset === 0 ? '' : ` offset ${bucket.offset}`}`
    case 'time':
      return `${bucket.widthNs}ns${bucket.offsetNs === 0n ? '' : ` offset ${bucket.offsetNs}ns`}${bucket.zone === undefined ? '' : ` in ${bucket.zone}`}`
    case 'calendar':
      return `${bucket.unit}${bucket.offsetNs === 0n ? '' : ` offset ${bucket.offsetNs}ns`}${bucket.zone === undefined ? '' : ` in ${bucket.zone}`}`
    case 'ipv4':
      return `/${bucket.bits}`
  }
}

/** Returns a name as plans print it: quoted unless it is a plain word. */
export function printName(name: string): string {
  return /^[A-Za-z_@][\w.@/-]*$/.test(name) ? name : JSON.stringify(name)
}

function join(args: readonly Expr[], word: string, none: string): string {
  return args.length === 0 ? none : `(${args.map(printExpr).join(` ${word} `)})`
}

const printers: { readonly [K in ExprKind]: (expr: ExprOf<K>) => string } = {
  column: (e) => printName(e.name),
  literal: (e) => printValue(e.value),
  and: (e) => join(e.args, 'and', 'true'),
  or: (e) => join(e.args, 'or', 'false'),
  not: (e) => `not ${printExpr(e.arg)}`,
  test: (e) => `${printExpr(e.arg)} ${printTest(e.test)}`,
  'any-field': (e) => `any ${JSON.stringify(printFieldPattern(e.fields))} ${printTest(e.test)}`,
  call: (e) => `${e.name}(${e.args.map(printExpr).join(', ')})`,
  case: (e) =>
    `case(${e.branches.map((b) => `${printExpr(b.when)} => ${printExpr(b.value)}`).join(', ')}, else ${printExpr(e.otherwise)})`,
  bucket: (e) => `bucket(${printExpr(e.arg)}, ${printBucket(e.bucket)})`,
  'in-subquery': (e) => `${printExpr(e.arg)} ${e.mode} ${e.isFolded ? 'i:' : ''}(subquery)`,
  columns: (e) => `columns(${JSON.stringify(printFieldPattern(e.fields))})`,
  'field-filter': (e) =>
    `unbound ${e.field === undefined ? 'text' : JSON.stringify(printFieldPattern(e.field))} ${printRequest(e.request)}`,
  'implicit-and': (e) => join(e.args, '&', 'true'),
  'stream-filter': (e) =>
    `stream {${e.alternatives.map((all) => all.map((m) => `${m.isNegated ? 'not ' : ''}${m.label} ${printTest(m.test)}`).join(', ')).join(' or ')}}`,
}

/**
 * Prints an expression on one line. Two results are equal if and only if the expressions have the same structure, apart
 * from origins and subqueries.
 */
export function printExpr(expr: Expr): string {
  return (printers[expr.kind] as (expr: Expr) => string)(expr)
}
