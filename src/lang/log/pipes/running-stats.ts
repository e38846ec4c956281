import type { Span } from '../../../base/index.ts'
import { column, schemaOf, type LogicalPlan, type NamedWindow } from '../../../plan/index.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import type { Rule, Syntax } from '../syntax.ts'
import { noStars, readBy } from '../rules/lists.ts'
import { runningForms, runningNames, type RunningBody, type RunningResult, type StatsCall } from '../stats/call.ts'
import { lowerCall } from '../stats/lower.ts'
import { printCall } from '../stats/print.ts'
import * as t from '../tokens.ts'

interface Running extends RunningBody {
  readonly span: Span
}

/** Pipe that adds to every row the value of each stats function over the rows up to this one, in time order. */
export interface RunningStatsPipe extends Running {
  readonly kind: 'running_stats'
}

/** Pipe that adds to every row the value of each stats function over the row's whole group. */
export interface TotalStatsPipe extends Running {
  readonly kind: 'total_stats'
}

declare module '../ast.ts' {
  interface PipeKinds {
    running_stats: RunningStatsPipe
    total_stats: TotalStatsPipe
  }
}

type RunningKind = 'running_stats' | 'total_stats'

const As = t.keyword('as')
const If = t.keyword('if')

/** Registers the rule of the part after `running_stats` or `total_stats`. */
export function registerRunningBody($: Syntax, call: Rule<[], StatsCall>): Rule<[], RunningBody> {
  const result = $.RULE('runningResult', (): RunningResult => {
    const inner = $.subrule(call)
    const condition = $.option(0, {
      GATE: () => $.isNative && $.isNext(If),
      DEF: () => $.subrule($.rules.condition),
    })
    const name = $.option(1, {
      GATE: () => $.isNext(As) || $.isNext(t.Word) || $.isNext(t.Quoted),
      DEF: () => $.subrule($.rules.alias),
    })
    return { call: inner, condition, name }
  })
  return $.RULE('runningBody', (): RunningBody => {
    const by = readBy($, $.rules.parenFieldPatterns, $.rules.keyFields)
    const results = [$.subrule(result)]
    $.many(0, () => {
      $.consume(t.Comma)
      results.push($.subrule(result))
    })
    $.ACTION(() => noStars($, by ?? []))
    return { by: by ?? [], results }
  })
}

function nameOf({ call, condition, name }: RunningResult, printer: Printer): string {
  if (name !== undefined) return name.parts[0] ?? ''
  if (printer.dialect === 'native') return call.name
  return printCall(call, printer, runningForms) + printer.condition(condition)
}

function windowCall(result: RunningResult, frame: NamedWindow['frame'], context: LowerContext): NamedWindow {
  const filter = result.condition === undefined ? undefined : context.filter(result.condition)
  const call = lowerCall(result.call, filter, context, runningForms)
  const { offset } = result.call
  return {
    name: nameOf(result, context.printer),
    type: 'any',
    call: offset === undefined || offset === 0 ? call : { ...call, params: [offset] },
    frame,
  }
}

function hasTime(input: LogicalPlan): boolean {
  const { fields, isOpen } = schemaOf(input)
  return isOpen || fields.some(({ name }) => name === '_time')
}

function running<K extends RunningKind>(name: K, frame: NamedWindow['frame'], doc: FeatureDoc): PipeDefinition<K> {
  const kind: RunningKind = name
  const type = t.keyword(name)
  return definePipe<RunningKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(kind === 'running_stats' ? 'runningStatsPipe' : 'totalStatsPipe', () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        const body = $.subrule($.rules.runningBody)
        $.ACTION(() => {
          if (kind === 'total_stats' && $.isNative) return
          for (const { call } of body.results) {
            // User-defined functions are accepted too, because they can process any rows.
            const isOwn = $.isNative && !runningForms.has(call.name)
            if (isOwn || runningNames.includes(call.name)) continue
            $.fail(logDiagnostic('unknown-function', { name: call.name, known: [...runningNames] }, call.nameSpan))
          }
        })
        return { kind, ...body, span: $.spanFrom(start) }
      }),
    print: (pipe, printer) => {
      const by = pipe.by.length === 0 ? '' : ` by (${printer.fields(pipe.by)})`
      const results = pipe.results.map((result) => {
        const text = printCall(result.call, printer, runningForms) + printer.condition(result.condition)
        return result.name === undefined && printer.dialect === 'native'
          ? text
          : `${text} as ${printer.text(nameOf(result, printer))}`
      })
      return `${kind}${by} ${results.join(', ')}`
    },
    lower: (pipe, input, context) => {
      const origin = context.at(pipe.span)
      return {
        kind: 'window',
        input,
        partitionBy: pipe.by.map((field) => column(context.name(field), context.at(field.span))),
        // Without a time column, the rows keep their order.
        orderBy: hasTime(input) ? [{ expr: column('_time', origin), direction: 'asc' }] : [],
        calls: pipe.results.map((result) => windowCall(result, frame, context)),
        origin,
      }
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

export const runningStats = running('running_stats', 'running', {
  summary: 'Functions over the rows so far in the order of time, on every row.',
  form: 'running_stats [by (field, …)] function(…) [as name], …',
  examples: [
    { query: '* | stats by (_time:1h) count() as hits | running_stats sum(hits) as total', text: 'a growing total' },
  ],
})

export const totalStats = running('total_stats', 'partition', {
  summary: 'Functions over the whole group, on every row.',
  form: 'total_stats [by (field, …)] function(…) [as name], …',
  examples: [
    {
      query: '* | stats by (workload) count() as hits | total_stats sum(hits) as all',
      text: 'each part beside the whole',
    },
    {
      query:
        '* | stats by (workload) count() as hits | total_stats sum(hits) as all | math round(hits / all * 100, 0.1) as percent',
      text: 'the share of each in percent',
    },
  ],
})
