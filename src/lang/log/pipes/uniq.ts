import { derived, type Span } from '../../../base/index.ts'
import { disjunction, type Expr, type LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import { noStars } from '../rules/lists.ts'
import { expectParentheses } from '../stats/call-rules.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

const Uniq = t.keyword('uniq')
const Filter = t.keyword('filter')
const With = t.keyword('with')
const Hits = t.keyword('hits')
const Limit = t.keyword('limit')

/** Pipe that lists the distinct combinations of values of some fields. */
export interface UniqPipe {
  readonly kind: 'uniq'
  readonly by: readonly FieldRef[]
  /** Lists only values that contain this string. */
  readonly containing: TextValue | undefined
  readonly hasHits: boolean
  readonly limit: number | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    uniq: UniqPipe
  }
}

const By = t.keyword('by')

/** Words that begin a clause after the list of fields. They end a list without parentheses. */
const clauses = ['filter', 'with', 'hits', 'limit'].map(t.keyword)

/** Registers the rule of a list of at least one field without stars: `by (a, b)`, `(a, b)`, `by a, b` or `a, b`. */
export function registerByFields($: Syntax): Rule<[clauses?: readonly t.TokenType[]], readonly FieldRef[]> {
  return $.RULE('byFields', (clausesBehind: readonly t.TokenType[] = []): readonly FieldRef[] => {
    const start = $.ACTION(() => $.startOffset())
    $.option(0, () => $.consume(By))
    $.ACTION(() => {
      // A field that has the name of a clause word must be written inside parentheses.
      if ($.isNextOneOf(clausesBehind)) expectParentheses($)
    })
    const fields = $.subrule($.rules.keyFields)
    return $.ACTION(() => {
      if (fields.length === 0)
        $.fail(logDiagnostic('missing-keys', { what: 'by', example: 'by (field)' }, $.spanFrom(start)))
      noStars($, fields)
      return fields
    })
  })
}

/** Returns a filter for rows in which one of the fields contains the text. */
export function containingFilter(
  input: LogicalPlan,
  fields: readonly FieldRef[],
  text: TextValue | undefined,
  context: LowerContext,
): LogicalPlan {
  if (text === undefined) return input
  // A derived origin prevents fixes that rewrite a filter, because the text stands in a clause of the pipe.
  const origin = derived('containing', [context.at(text.span)])
  const tests = fields.map((field): Expr => ({
    ...context.test(field, { kind: 'contains', text: text.text, isFolded: false }, text.span),
    origin,
  }))
  return { kind: 'filter', input, predicate: disjunction(tests, origin), origin }
}

/** Returns `wanted`, such as `hits`, with letters `s` appended until it differs from all taken names. */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  while (taken.includes(name)) name += wanted.at(-1) ?? 's'
  return name
}

export const uniq = definePipe({
  kind: 'uniq',
  names: ['uniq'],
  rule: ($) =>
    $.RULE('uniqPipe', (): UniqPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Uniq)
      const by = $.subrule($.rules.byFields, clauses)
      const containing = $.option(0, () => {
        $.consume(Filter)
        return $.subrule($.rules.text)
      })
      const hits = $.option(1, () => {
        $.option(2, () => $.consume(With))
        return $.consume(Hits)
      })
      const limit = $.option(3, () => {
        $.consume(Limit)
        return $.subrule($.rules.count)
      })
      return { kind: 'uniq', by, containing, hasHits: hits !== undefined, limit, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const containing = pipe.containing === undefined ? '' : ` filter ${printer.text(pipe.containing.text)}`
    const limit = pipe.limit === undefined || pipe.limit === 0 ? '' : ` limit ${pipe.limit}`
    return `uniq by (${printer.fields(pipe.by)})${containing}${pipe.hasHits ? ' with hits' : ''}${limit}`
  },
  lower: (pipe, input, context) => {
    const keys = pipe.by.map(context.name)
    return {
      kind: 'distinct',
      input: containingFilter(input, pipe.by, pipe.containing, context),
      keys,
      hitsName: pipe.hasHits ? freeName('hits', keys) : undefined,
      limit: pipe.limit === 0 ? undefined : pipe.limit,
      origin: context.at(pipe.span),
    }
  },
  doc: {
    summary: 'The distinct combinations of some fields.',
    form: 'uniq by (field, …) [filter text] [with hits] [limit count]',
    examples: [
      { query: '* | uniq by (workload, level)', text: 'which workloads write which levels' },
      { query: '* | uniq by (workload) with hits', text: 'with the number of rows of each' },
    ],
  },
})
