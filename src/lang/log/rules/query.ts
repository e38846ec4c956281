import type { Filter, Pipe, Query, QueryOption } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { wordBetween } from '../print/quote.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { warnMissingBar } from './filter-hints.ts'
import { registerOptions } from './options.ts'

const AFTER_STAGE = new Set([t.EOF, t.Bar, t.RParen, t.Semicolon])
const Options = t.keyword('options')

/** Registers the rule of a query inside another query, and the rule of a whole text. */
export function registerQuery($: Syntax): Rule<[], Query> {
  const { rules } = $
  const options = registerOptions($)

  const broken = (where: Filter['span']): Filter => ({ kind: 'broken', field: undefined, span: where })

  /** Reports tokens after a stage that do not belong to it. */
  const expectStageEnd = (): void => {
    if (!$.isNextIn(AFTER_STAGE)) $.fail($.unexpected($.next(), ['|']))
  }

  const filterPart = $.RULE('filterPart', (): Filter => {
    const filter = $.subrule(rules.filter)
    $.ACTION(() => {
      warnMissingBar($)
      expectStageEnd()
    })
    return filter
  })

  const stage = $.RULE('stage', (): Pipe => {
    $.ACTION(() => {
      if ($.isNext(t.Bar) && $.touches()) failAtDoubleBar($)
      if ($.isNextIn(AFTER_STAGE)) $.fail(logDiagnostic('trailing-pipe', {}, $.tokenSpan($.LA(0))))
      $.countPipe($.tokenSpan($.next()))
    })
    const pipe = $.subrule(rules.pipe)
    $.ACTION(expectStageEnd)
    return pipe
  })

  rules.query = $.RULE('query', (): Query => {
    const start = $.ACTION(() => $.startOffset())
    const { followsTable } = $
    $.followsTable = false
    const outerIncomplete = $.isIncomplete
    $.isIncomplete = false
    $.ACTION(() => {
      const isWord = $.isNext(Options) && !$.isNext(t.LParen, 2)
      if (isWord && !$.isNative) $.report(logDiagnostic('options-as-word', {}, $.tokenSpan($.next())))
    })
    const given = $.option(0, {
      GATE: () => $.isNext(Options) && $.isNext(t.LParen, 2),
      DEF: (): readonly QueryOption[] =>
        $.attempt(
          () => $.subrule(options),
          () => [],
        ),
    })
    const filter = $.option(1, {
      GATE: () => {
        if (!$.isNextIn(AFTER_STAGE)) return true
        if (!followsTable) expectSomething($)
        return false
      },
      DEF: () => $.attempt(() => $.subrule(filterPart), broken),
    })
    const pipes: Pipe[] = []
    $.many(0, {
      DEF: () => {
        $.consume(t.Bar)
        const pipe = $.attempt(
          () => $.subrule(stage),
          (where): Pipe => ({ kind: 'broken', span: where }),
        )
        pipes.push(pipe)
      },
    })
    $.option(2, {
      DEF: () => {
        const end = $.consume(t.Semicolon)
        $.ACTION(() => {
          if ($.isNative)
            $.report(
              logDiagnostic('trailing-semicolon', { left: $.touches(0) && $.touches() ? ' ' : '' }, $.tokenSpan(end)),
            )
        })
      },
    })
    $.ACTION(() => checkFirstPipes($, pipes))
    const { isIncomplete } = $
    $.isIncomplete = isIncomplete || outerIncomplete
    return { options: given ?? [], filter, pipes, isIncomplete, span: $.spanFrom(start) }
  })

  return $.RULE('logQuery', (): Query => {
    const query = $.attempt(() => $.subrule(rules.query), nothing)
    $.ACTION(() => {
      if ($.isNext(t.EOF)) return
      $.isIncomplete = true
      $.report($.unexpected($.next(), ['|']))
    })
    return query
  })
}

/** Reports pipes that read neighbouring stored rows but do not directly follow the query's filters. */
function checkFirstPipes($: Syntax, pipes: readonly Pipe[]): void {
  const index = pipes.findIndex(({ kind }) => kind === 'stream_context')
  const pipe = pipes[index]
  const earlier = pipes.slice(0, Math.max(index, 0))
  const before = earlier.find(({ kind }) => kind !== 'filter' && kind !== 'broken')
  const last = earlier.at(-1)
  if (before === undefined || last === undefined || pipe === undefined) return
  const text = $.session.source.slice(pipe.span.start, pipe.span.end)
  const data = { name: 'stream_context', text, first: before.span.start, from: last.span.end }
  $.report(logDiagnostic('misplaced-pipe', data, pipe.span))
}

/** Reports `a || b`, which means `a or b` in other languages. */
function failAtDoubleBar($: Syntax): never {
  const where = { start: $.startOffset() - 1, end: $.startOffset() + 1 }
  $.SKIP_TOKEN()
  $.SKIP_TOKEN()
  const written = wordBetween($.session.source, where, 'or')
  return $.fail(logDiagnostic('foreign-operator', { found: '||', operator: 'or', written }, where))
}

function nothing(where: Query['span']): Query {
  return { options: [], filter: undefined, pipes: [], isIncomplete: true, span: where }
}

/** Reports an empty filter. In the native dialect, an empty filter before a pipe is allowed and matches every row. */
function expectSomething($: Syntax): void {
  const next = $.next()
  // If the text consists of comments only, the missing query is reported at the start of the text.
  const start = $.LA(0).tokenType === t.EOF && next.tokenType === t.EOF ? 0 : $.startOffset()
  const where = { start, end: start }
  if (!$.isNext(t.Bar)) {
    $.isIncomplete = true
    $.report(logDiagnostic('empty-query', {}, where))
  } else if (!$.isNative) {
    $.isIncomplete = true
    $.report(logDiagnostic('leading-pipe', {}, $.tokenSpan(next)))
  }
}
