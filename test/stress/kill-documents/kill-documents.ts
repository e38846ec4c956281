import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { present } from '../../../src/base/index.ts'

/** Kinds of documents. Each change of a document is a known step, so a checker knows what must be stored. */
export const kinds = ['monitor', 'silence', 'policy'] as const
export type Kind = (typeof kinds)[number]

/**
 * Number of the last step. Step 0 creates a document, the last one deletes it, and those between change every member
 * that can change.
 */
export const LAST_STEP = 6

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly status: number
}

/** A document as the server returned it. */
export interface Found {
  readonly name: string
  readonly id: string
  /**
   * Step in which all members have the returned values; `undefined` if members are missing or belong to different
   * steps.
   */
  readonly step: number | undefined
}

type Members = Readonly<Record<string, unknown>>

/**
 * Returns a string of 0 to about 10 kB that repeats its step throughout, so that a mixture of two steps is detected.
 */
function filler(name: string, step: number): string {
  return `${step} of ${name} `.repeat((step * 131 + name.length * 57 + Number(/\d+$/.exec(name)?.[0] ?? 0)) % 500)
}

function membersOf(kind: Kind, name: string, step: number): Members {
  const text = `${step}: ${filler(name, step)}`
  if (kind === 'monitor') {
    const query = { name: 'q', dataType: 'logs', expression: `step:${step} | stats count() n` }
    const threshold = { name: 't', inputName: 'q', operator: 'gt', values: [step] }
    return {
      title: name,
      severity: `S${step}`,
      labels: { step: String(step) },
      display: { description: text },
      model: { queries: [query], thresholds: [threshold] },
    }
  }
  if (kind === 'silence') {
    return {
      startsAt: `2026-01-01T00:00:0${step}Z`,
      endsAt: `2036-01-01T00:00:0${step}Z`,
      comment: `${name} ${text}`,
      matchers: [{ name, value: String(step), isEqual: step % 2 === 0, isRegex: false }],
    }
  }
  const filters = [{ op: 'match', value: `cluster-${step}` }]
  return {
    name,
    description: text,
    role: { read: '', [`step-${step}`]: '' },
    dataScope: {
      simple: { operator: 'and', conditions: [{ key: 'cluster', origin: 'root', type: 'string', filters }] },
    },
  }
}

const PATHS: Readonly<Record<Kind, { readonly create: string; readonly one: string; readonly list: string }>> = {
  monitor: { create: '/api/monitors', one: '/api/monitors', list: '/api/monitors/list' },
  silence: { create: '/api/monitors/silences', one: '/api/monitors/silences', list: '/api/monitors/silences' },
  policy: { create: '/api/rbac/policy/create', one: '/api/rbac/policy', list: '/api/rbac/policies/list' },
}

/** Returns the request that moves a document from the previous step to `step`. */
export function requestOf(kind: Kind, name: string, step: number, id: string | undefined): Request {
  const { create, one } = PATHS[kind]
  const body = membersOf(kind, name, step)
  if (step === 0) return { method: 'POST', path: create, body, status: kind === 'policy' ? 201 : 200 }
  const path = `${one}/${id ?? ''}`
  if (step === LAST_STEP) return { method: 'DELETE', path, status: 200 }
  const revision = kind === 'policy' ? { currentRevision: step } : {}
  return { method: 'PUT', path, body: { ...body, ...revision }, status: kind === 'silence' ? 200 : 202 }
}

/** Returns the document's id from the answer to step 0. */
export function idIn(kind: Kind, answer: Members): string {
  return String(answer[kind === 'monitor' ? 'monitorId' : kind === 'silence' ? 'id' : 'uuid'])
}

function foundOf(kind: Kind, name: string, id: string, record: Members, step: number): Found {
  const expected = Object.entries(membersOf(kind, name, step))
  const isWhole =
    expected.every(([member, value]) => isDeepStrictEqual(record[member], value)) &&
    (kind !== 'policy' || record['revisionNumber'] === step + 1)
  return { name, id, step: isWhole ? step : undefined }
}

function stepIn(text: unknown): number {
  return Number(/\d+(?=:)/.exec(typeof text === 'string' ? text : '')?.[0] ?? NaN)
}

/** Returns all documents of a kind. `send` sends a request and resolves with the text of the answer. */
export async function findAll(
  kind: Kind,
  send: (request: Request) => Promise<string>,
  isWanted: (name: string) => boolean,
): Promise<readonly Found[]> {
  if (kind === 'monitor') {
    const listed = await send({ method: 'POST', path: PATHS.monitor.list, body: { limit: 1_000_000 }, status: 200 })
    const { monitors } = JSON.parse(listed) as { monitors: readonly { uuid: string; title: string }[] }
    const found: Found[] = []
    for (const { uuid, title } of monitors.filter((each) => isWanted(each.title))) {
      const yaml = await send({ method: 'GET', path: `${PATHS.monitor.one}/${uuid}`, status: 200 })
      const record = parse(yaml) as Members
      found.push(foundOf(kind, title, uuid, record, stepIn((record['display'] as Members)['description'])))
    }
    return found
  }
  const records = JSON.parse(await send({ method: 'GET', path: PATHS[kind].list, status: 200 })) as readonly Members[]
  return records
    .filter((record) => record['readOnly'] !== true)
    .map((record) => {
      if (kind === 'policy') {
        const name = String(record['name'])
        return foundOf(kind, name, idIn(kind, record), record, stepIn(record['description']))
      }
      const comment = String(record['comment'])
      return foundOf(kind, present(comment.split(' ', 1)[0]), idIn(kind, record), record, stepIn(comment))
    })
    .filter(({ name }) => isWanted(name))
}
