import { atPath, nearestNames, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { thresholdOperator, type Monitor, type MonitorModel, type MonitorThreshold } from '../../wire/index.ts'
import { resourceDiagnostic } from '../diagnostics.ts'
import { monitorDurationNs } from './duration.ts'

/** Checks the durations and the number of values in a definition. Does not check whether the definition compiles. */
export function checkMonitor(monitor: Monitor): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const { interval, pendingFor } = monitor.evaluationInterval ?? {}
  checkDuration(interval, 1n, ['evaluationInterval', 'interval'], diagnostics)
  checkDuration(pendingFor, 0n, ['evaluationInterval', 'pendingFor'], diagnostics)
  const { queries, reducers, thresholds } = monitor.model ?? {}
  queries?.forEach(({ instantRollup, rollup }, i) => {
    const path: JsonPath = ['model', 'queries', i]
    checkDuration(instantRollup, 1n, [...path, 'instantRollup'], diagnostics)
    // A bare number is in seconds.
    const time = /^\d+$/.test(rollup?.time ?? '') ? undefined : rollup?.time
    checkDuration(time, 1n, [...path, 'rollup', 'time'], diagnostics)
  })
  reducers?.forEach(({ type, expression }, i) => {
    if (type !== 'math' || (expression ?? '').trim() !== '') return
    diagnostics.push(resourceDiagnostic('math-expression', {}, atPath(['model', 'reducers', i, 'expression'])))
  })
  thresholds?.forEach((threshold, i) => checkThreshold(threshold, ['model', 'thresholds', i], diagnostics))
  return diagnostics
}

function checkDuration(text: string | undefined, leastNs: bigint, path: JsonPath, diagnostics: Diagnostic[]): void {
  if (text === undefined) return
  const ns = monitorDurationNs(text)
  if (ns !== undefined && ns >= leastNs) return
  const least = leastNs === 0n ? 'of zero or more' : 'greater than zero'
  diagnostics.push(resourceDiagnostic('bad-duration', { text, least }, atPath(path)))
}

function checkValues(operator: string, values: readonly number[], path: JsonPath, diagnostics: Diagnostic[]): boolean {
  const isRange = operator.includes('range')
  const [low = 0, high = low] = values
  const isGood = values.length === (isRange ? 2 : 1) && low <= high
  if (isGood) return true
  const wanted = isRange ? 'two values, the smaller one first' : 'one value'
  diagnostics.push(resourceDiagnostic('threshold-values', { operator, wanted }, atPath([...path, 'values'])))
  return false
}

/**
 * Returns the condition under which no value both fires and resolves; `undefined` if fire and resolve values do not
 * exclude each other.
 */
function resolveRule(
  operator: string,
  values: readonly number[],
  resolve: { operator: string; values: readonly number[] },
) {
  const [low = 0, high = low] = values
  const [resolveLow = 0, resolveHigh = resolveLow] = resolve.values
  switch (thresholdOperator(operator)) {
    case 'gt':
    case 'gte':
      return { wanted: `\`lt\` with at most ${low}`, isGood: resolve.operator === 'lt' && resolveLow <= low }
    case 'lt':
    case 'lte':
      return { wanted: `\`gt\` with at least ${low}`, isGood: resolve.operator === 'gt' && resolveLow >= low }
    case 'within_range':
    case 'within_range_included':
      return {
        wanted: `\`outside_range\` around ${low} to ${high}`,
        isGood: resolve.operator === 'outside_range' && resolveLow <= low && resolveHigh >= high,
      }
    case 'outside_range':
    case 'outside_range_included':
      return {
        wanted: `\`within_range\` inside ${low} to ${high}`,
        isGood: resolve.operator === 'within_range' && resolveLow >= low && resolveHigh <= high,
      }
    default:
      return undefined
  }
}

function checkThreshold(threshold: MonitorThreshold, path: JsonPath, diagnostics: Diagnostic[]): void {
  const { operator, values, customResolveThreshold: resolve } = threshold
  const isGood = checkValues(operator, values, path, diagnostics)
  if (resolve === undefined) return
  const resolvePath = [...path, 'customResolveThreshold']
  if (!checkValues(resolve.operator, resolve.values, resolvePath, diagnostics) || !isGood) return
  const rule = resolveRule(operator, values, resolve)
  if (rule === undefined || rule.isGood) return
  diagnostics.push(resourceDiagnostic('resolve-threshold', { operator, wanted: rule.wanted }, atPath(resolvePath)))
}

/** Reports duplicate and unknown input names. Reports nothing if no query has a name. */
export function checkInputs(model: MonitorModel): readonly Diagnostic[] {
  const { queries, reducers = [], thresholds = [] } = model
  if (queries === undefined) return []
  const diagnostics: Diagnostic[] = []
  const names = new Set<string>()
  const add = (name: string | undefined, path: JsonPath): void => {
    if (name === undefined) return
    if (names.has(name)) diagnostics.push(resourceDiagnostic('duplicate-input', { name }, atPath(path)))
    names.add(name)
  }
  queries.forEach(({ name }, i) => add(name, ['model', 'queries', i, 'name']))
  if (names.size === 0) return []
  reducers.forEach(({ name }, i) => add(name, ['model', 'reducers', i, 'name']))
  const use = (name: string | undefined, path: JsonPath): void => {
    if (name === undefined || names.has(name)) return
    diagnostics.push(resourceDiagnostic('unknown-input', { name, near: nearestNames(name, names) }, atPath(path)))
  }
  reducers.forEach(({ inputName }, i) => use(inputName, ['model', 'reducers', i, 'inputName']))
  thresholds.forEach(({ inputName }, i) => use(inputName, ['model', 'thresholds', i, 'inputName']))
  return diagnostics
}
