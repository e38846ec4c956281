import type { Filter, Pipe } from '../ast.ts'
import type { AnyPipeDefinition } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

const By = t.keyword('by')
/**
 * Registers the rule of a stage: a pipe with its name, or `stats` or `filter` without the name where the dialect allows
 * that.
 */
export function registerPipe($: Syntax, definitions: readonly AnyPipeDefinition[], custom: Rule<[], Pipe>): void {
  const pipes = definitions.map((definition) => {
    const rule = definition.rule($) as Rule<[], Pipe>
    return { ALT: () => $.subrule(rule) }
  })
  const types = new Set(definitions.flatMap(({ names }) => names.map(t.keyword)))
  const shared = definitions.filter(({ isNativeOnly }) => isNativeOnly !== true)
  const sharedTypes = new Set(shared.flatMap(({ names }) => names.map(t.keyword)))

  const namedPipe = $.RULE('namedPipe', (): Pipe => {
    $.ACTION(() => {
      // A compound word such as `limit.x` is not the pipe `limit`.
      if ($.touches(2) && $.isNext(t.Glue, 2)) $.fail($.unexpected($.next(2), []))
    })
    return $.or(0, pipes)
  })

  const bareStats = $.RULE('bareStats', (): Pipe => {
    const start = $.ACTION(() => $.startOffset())
    const body = $.subrule($.rules.statsBody)
    return { kind: 'stats', ...body, span: $.spanFrom(start) }
  })

  const bareFilter = $.RULE('bareFilter', (): Pipe => {
    const start = $.ACTION(() => $.startOffset())
    $.ACTION(() => checkBareFilter($, types))
    const filter: Filter = $.subrule($.rules.filter)
    return { kind: 'filter', filter, span: $.spanFrom(start) }
  })

  const isBareStats = (): boolean => {
    if ($.isNext(t.LParen)) return !$.isNative
    if ($.isNext(t.Not) || $.isNext(t.And) || $.isNext(t.Or)) return false
    return $.isNext(By) || ($.isNext(t.Word) && $.isNext(t.LParen, 2))
  }

  const stages = [
    { GATE: () => $.isNextIn($.isNative ? types : sharedTypes), ALT: () => $.subrule(namedPipe) },
    { GATE: () => $.isNative, ALT: () => $.subrule(custom) },
    { GATE: isBareStats, ALT: () => $.subrule(bareStats) },
    { ALT: () => $.subrule(bareFilter) },
  ]

  $.rules.pipe = $.RULE('pipe', (): Pipe => {
    return $.or(0, stages)
  })

  const names = definitions.flatMap((definition) => definition.names)
  const sharedNames = shared.flatMap((definition) => definition.names)

  function checkBareFilter(syntax: Syntax, pipeTypes: ReadonlySet<typeof t.Bar>): void {
    const next = syntax.next()
    if (syntax.isNext(t.Word) && !syntax.isNext(t.Not) && !isFieldAhead(syntax)) {
      if (syntax.session.stats.has(next.image.toLowerCase())) {
        syntax.fail(logDiagnostic('function-as-pipe', { name: next.image }, syntax.tokenSpan(next)))
      }
      const data = {
        name: next.image,
        known: syntax.isNative ? [...names, ...syntax.session.customPipes.keys()] : sharedNames,
        isFilter: !syntax.isNextOneOf([t.And, t.Or]),
      }
      syntax.fail(logDiagnostic('unknown-pipe', data, syntax.tokenSpan(next)))
    }
    if (!syntax.isNative) return
    if (!syntax.isNext(t.LParen)) {
      syntax.report(logDiagnostic('bare-filter-stage', {}, syntax.tokenSpan(next)))
      return
    }
    const isArgument = syntax.isNext(t.Word, 3) || syntax.isNext(t.Quoted, 3) || syntax.isNext(t.LParen, 3)
    if (pipeTypes.has(syntax.LA(2).tokenType) && isArgument && !syntax.isNextOneOf([t.And, t.Or], 3)) {
      syntax.fail(
        logDiagnostic('pipe-in-parentheses', { name: syntax.next(2).image }, syntax.tokenSpan(syntax.next(2))),
      )
    }
  }
}

/**
 * True if the next word, with everything joined to it, is a field: a colon follows, or a comparison in the native
 * dialect.
 */
function isFieldAhead($: Syntax): boolean {
  let distance = 2
  while (
    $.touches(distance) &&
    ($.isNext(t.Word, distance) || $.isNext(t.Glue, distance) || $.isNext(t.Star, distance))
  ) {
    distance++
  }
  return $.isNext(t.Colon, distance) || ($.isNative && $.isNextIn(t.comparisons, distance))
}
