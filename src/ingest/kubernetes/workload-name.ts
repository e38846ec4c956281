/**
 * The letters and digits from which Kubernetes generates names, without vowels and without characters that look alike.
 */
const HASH = '[bcdfghjklmnpqrstvwxz2456789]'
const POD_OF_DEPLOYMENT = new RegExp(`^(.+)-(?=[a-z0-9]*[0-9])${HASH}{6,10}-[a-z0-9]{5}$`)
const POD_OF_SET = /^(.+)-\d{1,4}$/
const POD_OF_DAEMON = new RegExp(`^(.+)-${HASH}{5}$`)
const REPLICA_SET = new RegExp(`^(.+)-(?=[a-z0-9]*[0-9])${HASH}{6,10}$`)
const JOB_OF_CRON = /^(.+)-\d{8,}$/

const WHOLE: ReadonlySet<string> = new Set(['deployment', 'statefulset', 'daemonset', 'cronjob', 'rollout'])

function firstMatch(name: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(name)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns the workload to which an object belongs, derived from its name; `undefined` when the name does not show it.
 */
export function workloadNameOf(kind: string, name: string): string | undefined {
  const word = kind.toLowerCase()
  if (name === '') return undefined
  if (WHOLE.has(word)) return name
  if (word === 'pod') return firstMatch(name, [POD_OF_DEPLOYMENT, POD_OF_SET, POD_OF_DAEMON])
  if (word === 'replicaset') return firstMatch(name, [REPLICA_SET])
  if (word === 'job') return firstMatch(name, [JOB_OF_CRON]) ?? name
  return undefined
}
