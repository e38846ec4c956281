import { Labels, type PlainJson } from '../../data/index.ts'
import type { DocumentBody } from '../../resources/index.ts'
import type { Instance, InstanceState, Reason, Transition } from '../instances/index.ts'
import {
  decodeValue,
  encodeValue,
  type InstanceDetails,
  type MonitorRecord,
  type ValueJson,
} from '../monitors/index.ts'

interface InstanceJson extends Pick<Instance, 'origin' | 'state' | 'missed'> {
  readonly labels: Readonly<Record<string, string>>
  readonly reason: Instance['reason'] | null
  readonly activeAtMs: number | null
  readonly firedAtMs: number | null
  readonly keepFiringSinceMs: number | null
  readonly details: DetailsJson | null
}

interface DetailsJson {
  readonly value: ValueJson
  readonly annotations: Readonly<Record<string, string>>
  readonly display: InstanceDetails['display']
}

interface RecordJson {
  readonly evaluatedAtMs: number | null
  readonly isModelEdited: boolean
  readonly error: string | null
  readonly instances: readonly InstanceJson[]
}

function encodeDetails({ value, annotations, display }: InstanceDetails): DetailsJson {
  return { value: encodeValue(value), annotations: annotations.toRecord(), display }
}

/** Encodes the state of a monitor as the body of a document. */
export function encodeRecord({ state, details, error }: MonitorRecord): DocumentBody {
  const json: RecordJson = {
    evaluatedAtMs: state.evaluatedAtMs ?? null,
    isModelEdited: state.isModelEdited,
    error: error ?? null,
    instances: [...state.instances].map(([key, instance]) => {
      const known = details.get(key)
      return {
        labels: instance.labels.toRecord(),
        origin: instance.origin,
        state: instance.state,
        reason: instance.reason ?? null,
        activeAtMs: instance.activeAtMs ?? null,
        firedAtMs: instance.firedAtMs ?? null,
        keepFiringSinceMs: instance.keepFiringSinceMs ?? null,
        missed: instance.missed,
        details: known === undefined ? null : encodeDetails(known),
      }
    }),
  }
  return json as unknown as DocumentBody
}

const states: ReadonlySet<string> = new Set<InstanceState>(['Normal', 'Pending', 'Alerting', 'NoData', 'Error'])
const origins: ReadonlySet<string> = new Set<Instance['origin']>(['result', 'monitor', 'no-data', 'error'])

/** Decodes a body made by `encodeRecord`. Throws Error for any other body. */
export function decodeRecord(body: DocumentBody): MonitorRecord {
  const { evaluatedAtMs, isModelEdited, error, instances } = body as unknown as RecordJson
  const decoded = instances.map(({ details, ...json }) => {
    if (!states.has(json.state)) throw new Error(`${JSON.stringify(json.state)} is no state`)
    if (!origins.has(json.origin)) throw new Error(`${JSON.stringify(json.origin)} is no origin`)
    const labels = Labels.of(json.labels)
    const instance: Instance = {
      labels,
      origin: json.origin,
      state: json.state,
      reason: json.reason ?? undefined,
      activeAtMs: json.activeAtMs ?? undefined,
      firedAtMs: json.firedAtMs ?? undefined,
      keepFiringSinceMs: json.keepFiringSinceMs ?? undefined,
      missed: json.missed,
    }
    return { key: labels.key, instance, details }
  })
  return {
    state: {
      instances: new Map(decoded.map(({ key, instance }) => [key, instance])),
      evaluatedAtMs: evaluatedAtMs ?? undefined,
      isModelEdited,
    },
    details: new Map(
      decoded.flatMap(({ key, details }) => {
        if (details === null) return []
        const { value, annotations, display } = details
        return [[key, { value: decodeValue(value), annotations: Labels.of(annotations), display }] as const]
      }),
    ),
    error: error ?? undefined,
  }
}

/** A state change of a monitor, as shown to users. */
export interface HistoryEntry {
  readonly atMs: number
  readonly labels: Labels
  readonly from: InstanceState
  readonly to: InstanceState
  readonly reason: Reason | undefined
}

export function historyEntry({ from, to, atMs }: Transition): HistoryEntry {
  return { atMs, labels: to.labels, from, to: to.state, reason: to.reason }
}

export function encodeHistory(history: readonly HistoryEntry[]): PlainJson {
  return history.map(({ labels, reason, ...entry }) => ({
    ...entry,
    labels: labels.toRecord(),
    reason: reason ?? null,
  }))
}

export function decodeHistory(json: PlainJson | undefined): readonly HistoryEntry[] {
  if (!Array.isArray(json)) return []
  const entries = json as unknown as readonly (Omit<HistoryEntry, 'labels' | 'reason'> & {
    readonly labels: Readonly<Record<string, string>>
    readonly reason: Reason | null
  })[]
  return entries.map((entry) => ({ ...entry, labels: Labels.of(entry.labels), reason: entry.reason ?? undefined }))
}
