import type { Printer } from '../print/printer.ts'
import type { SortField, StatsCall, StatsForms } from './call.ts'
import { statsForms } from './call.ts'
import type { GroupBy, StatsBody, StatsResult } from './call.ts'

export function printSortFields(fields: readonly SortField[], printer: Printer): string {
  return fields.map(({ field, isDescending }) => printer.field(field) + (isDescending ? ' desc' : '')).join(', ')
}

function printArguments(call: StatsCall, printer: Printer, forms: StatsForms): string {
  const params = call.params.map((param) => (param.isQuoted ? printer.text(param.text) : param.text))
  const isAll = call.args.length === 0 && (forms.get(call.name)?.isAllByDefault ?? false)
  return [...params, ...(isAll ? ['*'] : call.args.map(printer.field))].join(', ')
}

export function printCall(call: StatsCall, printer: Printer, forms: StatsForms = statsForms): string {
  const order = call.order.length === 0 ? '' : ` sort by (${printSortFields(call.order, printer)})`
  const limit = call.limit === undefined || call.limit === 0 ? '' : ` limit ${call.limit}`
  const offset = call.offset === undefined ? '' : ` offset ${call.offset}`
  return `${call.name}(${printArguments(call, printer, forms)})${order}${limit}${offset}`
}

export function printGroupBy(key: GroupBy, printer: Printer): string {
  const { bucket, offset, zone, fill } = key
  let text = printer.field(key.field)
  if (bucket !== undefined) text += `:${bucket.text}`
  if (offset !== undefined) text += ` offset ${offset.text}`
  if (zone !== undefined) text += ` zone ${printer.text(zone.text)}`
  if (fill !== undefined) text += fill.value === undefined ? ' fill' : ` fill ${printer.text(fill.value.text)}`
  return text
}

/** Returns the name of a result for which the query gives no name: the text of its call. */
export function defaultResultName(result: StatsResult, printer: Printer, forms: StatsForms = statsForms): string {
  if (printer.dialect === 'native') return result.call.name
  return printCall(result.call, printer, forms) + printer.condition(result.condition)
}

function printResult(result: StatsResult, printer: Printer): string {
  const call = printCall(result.call, printer) + printer.condition(result.condition)
  if (result.cases.length > 0) {
    const cases = result.cases.map(({ filter, name }) => {
      const head = filter === undefined ? 'default' : `case (${printer.filter(filter)})`
      return head + printer.as(name)
    })
    return `${call} switch(${cases.join(', ')})`
  }
  if (result.name !== undefined) return call + printer.as(result.name)
  if (printer.dialect === 'native') return call
  return `${call} as ${printer.text(defaultResultName(result, printer))}`
}

export function printStats({ by, results }: StatsBody, printer: Printer): string {
  const keys = by.length === 0 ? '' : `by (${by.map((key) => printGroupBy(key, printer)).join(', ')}) `
  return `stats ${keys}${results.map((result) => printResult(result, printer)).join(', ')}`
}
