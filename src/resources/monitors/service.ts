import type { SluiceError } from '../../base/index.ts'
import { compareText, printJsonExact, type ExactJson } from '../../data/index.ts'
import type { Condition, Monitor, MonitorList, MonitorListAnswer } from '../../wire/index.ts'
import type { Actor, Body, DocumentStore, StoredDocument } from '../document-store.ts'
import { ResourceError, refusal } from '../resource-error.ts'
import { isSameDuration } from './duration.ts'
import { heldMonitor, type HeldMonitor } from './held.ts'
import { monitorType } from './monitor-type.ts'
import type { MonitorBody } from './read-body.ts'
import { toYaml } from './to-yaml.ts'
import { checkInputs } from './validate.ts'

/** A monitor as a row that the filters of a list see: flat, its labels under `labels.`. */
export type MonitorRow = ReadonlyMap<string, ExactJson>

export interface MonitorFilter {
  readonly query: string | undefined
  readonly conditions: readonly Condition[]
}

/** What monitors need of the engine, handed in because modules above know it. */
export interface MonitorTools {
  /** Throws SluiceError for the first query of the definition that does not compile. */
  readonly compile: (monitor: Monitor, backend: string, readsText: ReadsText) => void
  /** The rows that pass, in any order. Throws SluiceError for a filter that cannot be read. */
  readonly select: (
    rows: readonly MonitorRow[],
    filter: MonitorFilter,
    readsText: ReadsText,
  ) => Promise<ReadonlySet<MonitorRow>>
  readonly makeId: () => string
}

/** Told a member of the body and its text before the text is read. */
export type ReadsText = (member: string, text: string) => void

export interface MonitorService {
  list(actor: Actor, request: MonitorList, readsText: ReadsText): Promise<MonitorListAnswer>
  /** All of them as alerting rules, by title. */
  held(actor: Actor): readonly HeldMonitor[]
  /** The definition as YAML. */
  read(actor: Actor, id: string): string
  /** Gives the id. */
  create(actor: Actor, body: MonitorBody, readsText: ReadsText): Promise<string>
  /** Members that are not given stay; an update that says nothing new changes nothing. */
  update(actor: Actor, id: string, body: MonitorBody, readsText: ReadsText): Promise<void>
  remove(actor: Actor, id: string): Promise<void>
}

function titleOf(body: Body): string | undefined {
  return typeof body['title'] === 'string' && body['title'] !== '' ? body['title'] : undefined
}

function textOf(value: ExactJson | undefined): string {
  return typeof value === 'string' ? value : ''
}

function rowOf({ id, body }: StoredDocument): MonitorRow {
  const row = new Map<string, ExactJson>([
    ['uuid', id],
    ['monitor_name', textOf(body['title'])],
    ['type', monitorType(body)],
  ])
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'object') {
      if (!row.has(name)) row.set(name, value)
    } else if (name === 'labels' && value !== null) {
      for (const [label, text] of Object.entries(value)) row.set(`labels.${label}`, text)
    }
  }
  return row
}

const DURATIONS = ['interval', 'pendingFor'] as const

/** The new evaluation times, where they only spell the old ones differently in the old spelling. */
function keepSpelling(before: ExactJson | undefined, after: ExactJson): ExactJson {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return after
  const [old, now] = [before as Body, after as Body]
  const kept = DURATIONS.filter((name) => {
    const [a, b] = [old[name], now[name]]
    return typeof a === 'string' && typeof b === 'string' && isSameDuration(a, b)
  })
  return { ...now, ...Object.fromEntries(kept.map((name) => [name, old[name] ?? null])) }
}

function merged(before: Body, given: Body): Body {
  const times = given['evaluationInterval']
  const spelled: Body =
    times === undefined ? {} : { evaluationInterval: keepSpelling(before['evaluationInterval'], times) }
  return { ...before, ...given, ...spelled }
}

function sortedText(value: ExactJson): string {
  if (typeof value !== 'object' || value === null) return printJsonExact(value)
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => compareText(a, b))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedText(member)}`).join()}}`
}

/** Throws a ResourceError for a definition whose inputs do not fit together, or whose queries `compile` throws for. */
export function checkCompiles({ model }: Monitor, compile: () => void): void {
  const faults = model === undefined ? [] : checkInputs(model)
  if (faults.length > 0) throw new ResourceError('does-not-compile', faults)
  try {
    compile()
  } catch (error) {
    const { diagnostics } = error as SluiceError
    throw diagnostics === undefined ? error : new ResourceError('does-not-compile', diagnostics)
  }
}

/** Monitors in a store. Rejects and throws with ResourceError and SluiceError. */
export function createMonitorService(store: DocumentStore, tools: MonitorTools): MonitorService {
  const find = (found: StoredDocument | undefined): StoredDocument => {
    if (found === undefined) throw refusal('not-found', 'not-found', { what: 'monitor' })
    return found
  }
  const compile = (definition: Monitor, actor: Actor, readsText: ReadsText): void =>
    checkCompiles(definition, () => tools.compile(definition, actor.backend, readsText))
  return {
    list: async (actor, request, readsText) => {
      const documents = store.read(actor.backend, (view) => view.list('monitor'))
      const { query, conditions = [], sort, skip, limit } = request
      const all = documents.map(rowOf)
      const passed =
        query === undefined && conditions.length === 0
          ? new Set(all)
          : await tools.select(all, { query, conditions }, readsText)
      const found = all
        .filter((row) => passed.has(row))
        .map((row) => ({
          uuid: textOf(row.get('uuid')),
          title: textOf(row.get('monitor_name')),
          type: textOf(row.get('type')),
        }))
        .sort(
          (a, b) =>
            (sort === 'type' ? compareText(a.type, b.type) : 0) ||
            compareText(a.title, b.title) ||
            compareText(a.uuid, b.uuid),
        )
      return { monitors: found.slice(skip, skip + limit), done: skip + limit >= found.length }
    },
    held: (actor) =>
      store
        .read(actor.backend, (view) => view.list('monitor'))
        .map(heldMonitor)
        .sort((a, b) => compareText(a.title, b.title)),
    read: (actor, id) => toYaml(find(store.read(actor.backend, (view) => view.get('monitor', id))).body),
    create: async (actor, { monitor, body }, readsText) => {
      compile(monitor, actor, readsText)
      const id = tools.makeId()
      const title = titleOf(body)
      await store.write(actor, (tx) => {
        if (title !== undefined && tx.findByName('monitor', title) !== undefined)
          throw refusal('conflict', 'title-in-use', { title })
        tx.put('monitor', id, body, title)
      })
      return id
    },
    update: async (actor, id, { monitor, body }, readsText) => {
      find(store.read(actor.backend, (view) => view.get('monitor', id)))
      compile(monitor, actor, readsText)
      await store.write(actor, (tx) => {
        const before = find(tx.get('monitor', id))
        const next = merged(before.body, body)
        const title = titleOf(next)
        const holder = title === undefined ? undefined : tx.findByName('monitor', title)
        if (title !== undefined && holder !== undefined && holder.id !== id)
          throw refusal('conflict', 'title-in-use', { title })
        if (sortedText(next) !== sortedText(before.body)) tx.put('monitor', id, next, title)
      })
    },
    remove: async (actor, id) => {
      await store.write(actor, (tx) => {
        if (!tx.remove('monitor', id)) throw refusal('not-found', 'not-found', { what: 'monitor' })
      })
    },
  }
}
