import { canon, type ConvertedQuery, type Filter, type Pipe, type Query } from '../../log/index.ts'
import type { LogQuery } from '../ast.ts'
import type { LogqlTable } from '../table.ts'
import { parseLogqlOrThrow } from '../parse.ts'
import { Conversion } from './conversion.ts'
import { selectorFilters } from './filters.ts'
import { convertMetric } from './metric.ts'
import { convertStage } from './stages.ts'

function convertedLogs(logs: LogQuery, conversion: Conversion): { readonly filters: Filter[]; readonly pipes: Pipe[] } {
  const filters = [...selectorFilters(logs, conversion)]
  const pipes: Pipe[] = []
  for (const stage of logs.stages) {
    const converted = convertStage(stage, conversion)
    if ('pipes' in converted) pipes.push(...converted.pipes)
    else if (pipes.length === 0) filters.push(converted.filter)
    else pipes.push({ kind: 'filter', filter: converted.filter, span: stage.span })
  }
  return { filters, pipes }
}

/**
 * Converts a LogQL query to the log language. Throws SluiceError: `logql/…` if the query is invalid;
 * `convert/no-counterpart`, with the position, if the log language cannot express a part of it.
 */
export function convertLogql(text: string, table: LogqlTable): ConvertedQuery {
  const query = parseLogqlOrThrow(text)
  const conversion = new Conversion(table)
  const metric = query.kind === 'log-query' ? undefined : convertMetric(query, conversion)
  const logs = query.kind === 'log-query' ? query : metric?.range.logs
  const { filters, pipes } = logs === undefined ? { filters: [], pipes: [] } : convertedLogs(logs, conversion)
  if (metric !== undefined) pipes.push(metric.pipe())
  const { span } = query
  const all: Filter = { kind: 'pattern', parts: ['', ''], field: undefined, span }
  const filter: Filter =
    filters.length === 0 ? all : { kind: 'and', args: filters, isExplicit: false, field: undefined, span }
  const converted: Query = { options: [], filter, pipes, isIncomplete: false, span }
  return { text: canon(converted, 'native'), notes: conversion.notes }
}
