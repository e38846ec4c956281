import { BYTES_PER_CHECKPOINT, type SluiceError } from '../../base/index.ts'
import { compareText, printJsonExact, type PlainJson } from '../../data/index.ts'
import type { Condition, Monitor, MonitorList, MonitorListAnswer } from '../../wire/index.ts'
import type { Actor, DocumentBody, DocumentStore, StoredDocument, VersionCheck } from '../document-store.ts'
import { ResourceError, refusal } from '../resource-error.ts'
import { isSameDuration } from './duration.ts'
import { heldMonitor, type HeldMonitor } from './held.ts'
import { monitorType } from './monitor-type.ts'
import { toYaml } from './to-yaml.ts'
import { checkInputs } from './validate.ts'

/** Member of a stored monitor that names its author; it is never shown to users. */
const AUTHOR = '$author'

/**
 * Author of a monitor: the user who last changed its model. The monitor's queries run with this user's permissions
 * (M64).
 */
export interface MonitorAuthor {
  /** Public id of the author's key. */
  readonly by: string
  readonly email: string | undefined
}

/** Returns the author of a stored monitor. A monitor stored without one belongs to the user who changed it last. */
export function monitorAuthor({ body, updatedBy }: StoredDocument): MonitorAuthor {
  const stored = body[AUTHOR] as { readonly by?: PlainJson; readonly email?: PlainJson } | null | undefined
  const { by, email } = stored ?? {}
  return {
    by: typeof by === 'string' ? by : updatedBy,
    email: typeof email === 'string' ? email : undefined,
  }
}

function authored(body: DocumentBody, { by, email }: Actor): DocumentBody {
  return { ...body, [AUTHOR]: email === undefined ? { by } : { by, email } }
}

/** Returns the definition without the store's own members. */
function withoutAuthor(body: DocumentBody): DocumentBody {
  const { [AUTHOR]: _, ...definition } = body
  return definition
}

/** A monitor as a flat row, to which a list's filter applies. Labels are the members `labels.…`; `uuid` is the id. */
export type MonitorRow = DocumentBody

export interface MonitorFilter {
  readonly query?: string | undefined
  readonly conditions?: readonly Condition[] | undefined
}

export interface MonitorTools {
  readonly makeId: () => string
}

/** Called with the name and text of a member before the filter parses the text. */
export type ReadsText = (member: string, text: string) => void

export interface MonitorService {
  /** Lists the monitors whose ids are in `picked`; all monitors if `picked` is missing. */
  list(actor: Actor, request: MonitorList, picked?: ReadonlySet<string>): MonitorListAnswer
  /** Returns all rows as JSON arrays of about `BYTES_PER_CHECKPOINT` bytes each; at least one array. */
  rowTexts(actor: Actor): Iterable<string>
  /** Returns all monitors as alerting rules, by title. */
  held(actor: Actor): readonly HeldMonitor[]
  /** Returns the definition as YAML. */
  read(actor: Actor, id: string): string
  /** Creates a monitor from the result of `readMonitor`, whose queries must compile. Resolves with the id. */
  create(actor: Actor, body: DocumentBody): Promise<string>
  /**
   * Updates a monitor; an update without differences changes nothing. An actor with a data scope may change labels and
   * templates only together with the model: templates run with the author's permissions, and labels decide who sees an
   * alert.
   */
  update(actor: Actor, id: string, body: DocumentBody, options?: MonitorUpdate): Promise<void>
  remove(actor: Actor, id: string, check?: VersionCheck<string>): Promise<void>
}

export interface MonitorUpdate {
  readonly hasScope?: boolean
  /** True if the body is the whole definition. False (default) if members that the body lacks keep their values. */
  readonly isWhole?: boolean
  /** Called with the stored definition as YAML. */
  readonly check?: VersionCheck<string> | undefined
}

function titleOf(body: DocumentBody): string | undefined {
  return typeof body['title'] === 'string' && body['title'] !== '' ? body['title'] : undefined
}

function textOf(value: PlainJson | undefined): string {
  return typeof value === 'string' ? value : ''
}

function rowOf({ id, body }: StoredDocument): MonitorRow {
  const row = new Map<string, PlainJson>([
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
  return Object.fromEntries(row)
}

function* rowTexts(documents: readonly StoredDocument[]): Generator<string> {
  let texts: string[] = []
  let characters = 0
  for (const document of documents) {
    const text = printJsonExact(rowOf(document))
    texts.push(text)
    characters += text.length
    if (characters < BYTES_PER_CHECKPOINT) continue
    yield `[${texts.join(',')}]`
    texts = []
    characters = 0
  }
  if (texts.length > 0 || documents.length === 0) yield `[${texts.join(',')}]`
}

type Entry = MonitorListAnswer['monitors'][number]

const entries = new WeakMap<StoredDocument, Entry>()

/**
 * Returns the list entry of a monitor. Entries are cached by document, since a document is immutable and an update
 * replaces it.
 */
function entryOf(document: StoredDocument): Entry {
  let entry = entries.get(document)
  if (entry === undefined) {
    const { id, body } = document
    entries.set(document, (entry = { uuid: id, title: textOf(body['title']), type: monitorType(body) }))
  }
  return entry
}

const byName = (a: Entry, b: Entry): number => compareText(a.title, b.title) || compareText(a.uuid, b.uuid)
const comparers: { readonly [K in MonitorList['sort']]: (a: Entry, b: Entry) => number } = {
  name: byName,
  type: (a, b) => compareText(a.type, b.type) || byName(a, b),
}

const sorted = new WeakMap<readonly StoredDocument[], Map<MonitorList['sort'], readonly Entry[]>>()

/** Returns the documents in the requested order, cached until the next change. */
function inOrder(documents: readonly StoredDocument[], by: MonitorList['sort']): readonly Entry[] {
  let orders = sorted.get(documents)
  if (orders === undefined) sorted.set(documents, (orders = new Map()))
  let order = orders.get(by)
  if (order === undefined) orders.set(by, (order = documents.map(entryOf).sort(comparers[by])))
  return order
}

/**
 * Members that an actor with a data scope may change only together with the model: templates run with the author's
 * permissions, and labels decide who sees an alert.
 */
const AUTHORED = ['labels', 'severity', 'team', 'category', 'annotations', 'display'] as const

const DURATIONS = ['interval', 'pendingFor'] as const

/** Returns the previous spelling of evaluation times if the new spelling means the same. */
function keepSpelling(before: PlainJson | undefined, after: PlainJson): PlainJson {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return after
  const [old, now] = [before as DocumentBody, after as DocumentBody]
  const kept = DURATIONS.filter((name) => {
    const [a, b] = [old[name], now[name]]
    return typeof a === 'string' && typeof b === 'string' && isSameDuration(a, b)
  })
  return { ...now, ...Object.fromEntries(kept.map((name) => [name, old[name] ?? null])) }
}

/** Returns the stored definition after an update, including the store's own members. */
function updated(before: DocumentBody, given: DocumentBody, isWhole: boolean): DocumentBody {
  const times = given['evaluationInterval']
  const spelled: DocumentBody =
    times === undefined ? {} : { evaluationInterval: keepSpelling(before['evaluationInterval'], times) }
  const kept = isWhole ? Object.fromEntries(Object.entries(before).filter(([name]) => name === AUTHOR)) : before
  return { ...kept, ...given, ...spelled }
}

function sortedText(value: PlainJson): string {
  if (typeof value !== 'object' || value === null) return printJsonExact(value)
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => compareText(a, b))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedText(member)}`).join()}}`
}

/** Throws a ResourceError if the inputs of the definition are inconsistent or `compile` throws. */
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

/** Returns the service for monitors in a store. Its methods throw or reject with ResourceError and SluiceError. */
export function createMonitorService(store: DocumentStore, tools: MonitorTools): MonitorService {
  const find = (found: StoredDocument | undefined): StoredDocument => {
    if (found === undefined) throw refusal('not-found', 'not-found', { what: 'monitor' })
    return found
  }
  const monitorsOf = ({ backend }: Actor): readonly StoredDocument[] =>
    store.read(backend, (view) => view.list('monitor'))
  return {
    list: (actor, { sort, skip, limit }, picked) => {
      const all = inOrder(monitorsOf(actor), sort)
      const found = picked === undefined ? all : all.filter(({ uuid }) => picked.has(uuid))
      return { monitors: found.slice(skip, skip + limit), done: skip + limit >= found.length }
    },
    rowTexts: (actor) => rowTexts(monitorsOf(actor)),
    held: (actor) =>
      monitorsOf(actor)
        .map(heldMonitor)
        .sort((a, b) => compareText(a.title, b.title)),
    read: (actor, id) => toYaml(withoutAuthor(find(store.read(actor.backend, (view) => view.get('monitor', id))).body)),
    create: async (actor, body) => {
      const id = tools.makeId()
      const title = titleOf(body)
      await store.write(actor, (tx) => {
        if (title !== undefined && tx.findByName('monitor', title) !== undefined)
          throw refusal('conflict', 'title-in-use', { title })
        tx.put('monitor', id, authored(withoutAuthor(body), actor), title)
      })
      return id
    },
    update: async (actor, id, body, { hasScope = false, isWhole = false, check } = {}) => {
      await store.write(actor, (tx) => {
        const before = find(tx.get('monitor', id))
        check?.(toYaml(withoutAuthor(before.body)))
        const next = updated(before.body, withoutAuthor(body), isWhole)
        const title = titleOf(next)
        const holder = title === undefined ? undefined : tx.findByName('monitor', title)
        if (title !== undefined && holder !== undefined && holder.id !== id)
          throw refusal('conflict', 'title-in-use', { title })
        if (sortedText(next) === sortedText(before.body)) return
        const isOther = (name: string): boolean =>
          sortedText(next[name] ?? null) !== sortedText(before.body[name] ?? null)
        const isOtherModel = isOther('model')
        const members = hasScope && !isOtherModel ? AUTHORED.filter(isOther) : []
        if (members.length > 0 && monitorAuthor(before).email !== actor.email)
          throw refusal('forbidden', 'not-author', { members })
        tx.put('monitor', id, isOtherModel ? authored(next, actor) : next, title)
      })
    },
    remove: async (actor, id, check) => {
      await store.write(actor, (tx) => {
        check?.(toYaml(withoutAuthor(find(tx.get('monitor', id)).body)))
        if (!tx.remove('monitor', id)) throw refusal('not-found', 'not-found', { what: 'monitor' })
      })
    },
  }
}
