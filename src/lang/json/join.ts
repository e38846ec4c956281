import { nearestNames, type JsonPath } from '../../base/index.ts'
import type { JoinType, LogicalPlan } from '../../plan/index.ts'
import type { Pipeline } from '../../wire/index.ts'
import { origin, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'

const joinTypes: readonly JoinType[] = ['inner', 'left', 'right', 'full', 'cross']

/** Parses the type of a join, in any case and with or without the words "join" and "outer". Default: `inner`. */
export function joinTypeOf(text: string | undefined, path: JsonPath, context: JsonLowering): JoinType {
  const word = (text ?? 'inner').toLowerCase().replaceAll(/[_\s-]|join|outer/g, '')
  const found = joinTypes.find((type) => type === word)
  if (found !== undefined) return found
  const near = nearestNames(word, joinTypes)
  context.diagnostics.push(
    jsonDiagnostic(
      'unknown-word',
      { what: 'join type', name: text ?? '', near, known: joinTypes },
      origin([...path, 'type']),
    ),
  )
  return 'inner'
}

type LowerInner = (pipeline: Pipeline, path: JsonPath) => LogicalPlan

export function lowerJoin(
  join: NonNullable<Pipeline['join']>,
  path: JsonPath,
  lower: LowerInner,
  context: JsonLowering,
): LogicalPlan {
  const side = (name: 'leftPipeline' | 'rightPipeline'): LogicalPlan => {
    const pipeline = join[name]
    if (pipeline === undefined)
      context.diagnostics.push(jsonDiagnostic('missing-side', { member: 'join', side: name }, origin(path)))
    return lower(pipeline ?? {}, [...path, name])
  }
  const type = joinTypeOf(join.type, path, context)
  const on = (join.onConditions ?? []).map((pair, index) => {
    const where: JsonPath = [...path, 'onConditions', index]
    const left = pair.leftColumn?.key ?? pair.rightColumn?.key
    const right = pair.rightColumn?.key ?? pair.leftColumn?.key
    if (left === undefined || right === undefined) {
      context.diagnostics.push(jsonDiagnostic('missing-key', { where: 'A join condition' }, origin(where)))
    }
    return { left: left ?? '', right: right ?? '' }
  })
  if (on.length === 0 && type !== 'cross') context.diagnostics.push(jsonDiagnostic('missing-on', {}, origin(path)))
  return {
    kind: 'join',
    left: side('leftPipeline'),
    right: side('rightPipeline'),
    type,
    on,
    prefix: join.prefix ?? 'right',
    prefixMode: 'collision',
    origin: origin(path),
  }
}

export function lowerUnion(
  union: NonNullable<Pipeline['union']>,
  path: JsonPath,
  lower: LowerInner,
  context: JsonLowering,
): LogicalPlan {
  const inputsList = (['leftPipeline', 'rightPipeline'] as const).map((name) => {
    const pipeline = union[name]
    if (pipeline === undefined)
      context.diagnostics.push(jsonDiagnostic('missing-side', { member: 'union', side: name }, origin(path)))
    return lower(pipeline ?? {}, [...path, name])
  })
  return { kind: 'union', inputsList, origin: origin(path) }
}
