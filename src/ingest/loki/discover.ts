import type { LabelPair } from '../../data/index.ts'

/** Labels that may contain the service name, in order of preference; as in Loki. */
const SERVICE_LABELS = [
  'service_name',
  'service',
  'app',
  'application',
  'app_name',
  'name',
  'app_kubernetes_io_name',
  'container',
  'container_name',
  'k8s_container_name',
  'component',
  'workload',
  'job',
  'k8s_job_name',
]

export const SERVICE_NAME = 'service_name'
export const DETECTED_LEVEL = 'detected_level'

/** Returns the service name of a stream. */
export function discoveredService(labels: readonly LabelPair[]): string {
  const values = new Map(labels)
  for (const name of SERVICE_LABELS) {
    const value = values.get(name) ?? ''
    if (value !== '') return value
  }
  return 'unknown_service'
}

const LEVELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    trace: ['trace', 'trc'],
    debug: ['debug', 'dbg'],
    info: ['info', 'inf', 'information'],
    warn: ['warn', 'wrn', 'warning'],
    error: ['error', 'err'],
    critical: ['critical'],
    fatal: ['fatal'],
  }).flatMap(([level, words]) => words.map((word) => [word, level] as const)),
)

const LEVEL_LABELS: ReadonlySet<string> = new Set([
  'level',
  'severity',
  'lvl',
  'loglevel',
  'log_level',
  'severity_text',
])

/** A level as a member of a JSON object, or as a pair of logfmt. */
const IN_LINE = /(?:"(?:level|severity|lvl)"\s*:\s*"|(?:^|\s)(?:level|severity|lvl)="?)([A-Za-z]+)/i

/** Words that indicate a level in other lines, in the order in which Loki tries them. */
const WORDS: readonly (readonly [pattern: RegExp, level: string])[] = [
  [/info|INFO/, 'info'],
  [/err:|ERR:|error|ERROR/, 'error'],
  [/warn|WARN/, 'warn'],
  [/critical|CRITICAL/, 'critical'],
  [/debug|DEBUG/, 'debug'],
]

/** Returns the level of an entry, from its metadata, labels or line; `unknown` if none of them has a level. */
export function discoveredLevel(labels: readonly LabelPair[], metadata: readonly LabelPair[], line: string): string {
  for (const [name, value] of [...metadata, ...labels]) {
    if (name === DETECTED_LEVEL) return value
    const level = LEVEL_LABELS.has(name.toLowerCase()) ? LEVELS.get(value.toLowerCase()) : undefined
    if (level !== undefined) return level
  }
  const inLine = IN_LINE.exec(line)?.[1]?.toLowerCase()
  const known = inLine === undefined ? undefined : LEVELS.get(inLine)
  return known ?? WORDS.find(([pattern]) => pattern.test(line))?.[1] ?? 'unknown'
}
