import { compileRegexp, type Span } from '../../../base/index.ts'
import type { LabelMatcher } from '../../../plan/series/index.ts'
import { noCounterpart, quotedForRegexp, type FieldRef, type Filter } from '../../log/index.ts'
import type { LabelCondition, LineFilter, LogQuery } from '../ast.ts'
import type { Conversion } from './conversion.ts'

/**
 * True for a string that equals other strings in the log language, where numbers are compared by value: `5.0` equals
 * `5`.
 */
function equalsOthers(text: string): boolean {
  return /^[+-]?(?:[.\d]|inf|nan)/i.test(text) && String(Number(text)) !== text
}

function exact(field: FieldRef, text: string, span: Span): Filter {
  return equalsOthers(text)
    ? regexp(field, `^${quotedForRegexp(text)}$`, span)
    : { kind: 'exact', field, text, isPrefix: false, span }
}

function regexp(field: FieldRef, pattern: string, span: Span): Filter {
  return { kind: 'regexp', field, pattern, span }
}

function not(arg: Filter, span: Span): Filter {
  return { kind: 'not', arg, field: undefined, span }
}

function joined(kind: 'and' | 'or', args: readonly Filter[], span: Span): Filter {
  const [first] = args
  if (args.length === 1 && first !== undefined) return first
  return kind === 'or'
    ? { kind, args, field: undefined, span }
    : { kind, args, isExplicit: false, field: undefined, span }
}

/** Returns the filter of a matcher on a field. A pattern must match the whole value. */
function matches(field: FieldRef, { op, value }: LabelMatcher, span: Span): Filter {
  const isPattern = op === '=~' || op === '!~'
  const found = isPattern ? regexp(field, `^(?:${value})$`, span) : exact(field, value, span)
  return op.startsWith('!') ? not(found, span) : found
}

/**
 * Returns the filter for a label that every entry has: its value is that of the first field with a value, else a
 * constant.
 */
function matchesDiscovered(
  label: string,
  matcher: LabelMatcher,
  { table }: Conversion,
  span: Span,
): Filter | undefined {
  const found = table.discovered.find((each) => each.label === label)
  if (found === undefined) return undefined
  const refs = found.fields.map((name): FieldRef => ({ parts: [name], span }))
  const positive: LabelMatcher = { ...matcher, op: matcher.op.endsWith('~') ? '=~' : '=' }
  const empty = (count: number): readonly Filter[] => refs.slice(0, count).map((field) => exact(field, '', span))
  const hasValue = (field: FieldRef): Filter => not(exact(field, '', span), span)
  const ways = refs.map((field, i) =>
    joined('and', [...empty(i), hasValue(field), matches(field, positive, span)], span),
  )
  const passes =
    positive.op === '='
      ? matcher.value === found.otherwise
      : compileRegexp(`^(?:${matcher.value})$`, false).test(found.otherwise)
  if (passes) ways.push(joined('and', empty(refs.length), span))
  const any = joined('or', ways, span)
  return matcher.op.startsWith('!') ? not(any, span) : any
}

/** Returns the filters of a selector. */
export function selectorFilters({ matchers, span }: LogQuery, conversion: Conversion): readonly Filter[] {
  return matchers.map((matcher): Filter => {
    const discovered = matchesDiscovered(matcher.label, matcher, conversion, span)
    if (discovered !== undefined) return discovered
    if (!conversion.isStreamField(matcher.label))
      conversion.note(`A row matches by its field \`${matcher.label}\`, also if that is no label of its stream.`)
    return matches(conversion.field(matcher.label, span), matcher, span)
  })
}

/** Returns the filter of a line filter; `undefined` if every line passes. */
export function lineFilter({ op, alternatives, span }: LineFilter, conversion: Conversion): Filter | undefined {
  if (op === '|>' || op === '!>')
    return noCounterpart(span, `\`${op}\``, 'Write the pattern as a regular expression, after `|~`.')
  const field = conversion.line(span)
  const isPattern = op === '|~' || op === '!~'
  const tests = alternatives.map(({ kind, value }): Filter => {
    if (kind === 'ip')
      return noCounterpart(span, '`ip(…)` on a line', 'Extract the address first, and filter its field.')
    // A dot in LogQL does not match line breaks.
    if (isPattern) return regexp(field, value.includes('.') ? `(?-s:${value})` : value, span)
    // A pattern with stars would ignore case; a regular expression does not.
    return regexp(field, quotedForRegexp(value), span)
  })
  const isNegated = op.startsWith('!')
  if (alternatives.some(({ value }) => value === ''))
    return isNegated ? noCounterpart(span, 'a filter that no line passes', 'Remove the empty text.') : undefined
  const any = joined('or', tests, span)
  return isNegated ? not(any, span) : any
}

/** Returns the filter of a condition on labels. */
export function conditionFilter(condition: LabelCondition, conversion: Conversion): Filter {
  const { span } = condition
  switch (condition.kind) {
    case 'and':
    case 'or':
      return joined(
        condition.kind,
        [conditionFilter(condition.lhs, conversion), conditionFilter(condition.rhs, conversion)],
        span,
      )
    case 'text':
      return (
        matchesDiscovered(condition.label, condition, conversion, span) ??
        matches(conversion.field(condition.label, span), condition, span)
      )
    case 'number': {
      const { op, value } = condition
      const field = conversion.field(condition.label, span)
      conversion.note(`A row whose \`${condition.label}\` is no number is left out; LogQL shows it with \`__error__\`.`)
      const compared = (bound: '>' | '>=' | '<' | '<='): Filter => ({
        kind: 'compare',
        field,
        op: bound,
        operand: { text: String(value), isQuoted: false, span },
        span,
      })
      if (op === '==') return joined('and', [compared('>='), compared('<=')], span)
      return op === '!=' ? joined('or', [compared('<'), compared('>')], span) : compared(op)
    }
    case 'duration':
    case 'bytes':
    case 'ip':
      return noCounterpart(
        span,
        `a condition on ${condition.kind === 'ip' ? 'addresses' : condition.kind === 'bytes' ? 'sizes' : 'durations'}`,
        'Compare the field with a number, or ask in LogQL: `sluice query --dialect logql`.',
      )
  }
}
