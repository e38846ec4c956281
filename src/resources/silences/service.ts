import { Regex, SluiceError, atPath, formatRfc3339, regexpFault } from '../../base/index.ts'
import { compareText, type PlainJson } from '../../data/index.ts'
import type {
  SilenceCreate,
  SilenceListParameters,
  SilenceMatcher,
  SilenceRecord,
  SilenceUpdate,
} from '../../wire/index.ts'
import { resourceDiagnostic } from '../diagnostics.ts'
import { checkSize } from '../document-size.ts'
import type { Actor, DocumentBody, DocumentStore, StoredDocument, VersionCheck } from '../document-store.ts'
import { refusal } from '../resource-error.ts'
import { endsAtNs, isActive, startsAtNs } from './active.ts'

export interface SilenceTools {
  readonly nowNs: () => bigint
  readonly makeId: () => string
}

export interface SilenceService {
  /** Returns the silences, latest start first, without the first `skip`. */
  list(actor: Actor, parameters: Omit<SilenceListParameters, 'limit'>): Iterable<SilenceRecord>
  read(actor: Actor, id: string): SilenceRecord
  /** Creates a silence from the result of `silenceBody`. */
  create(actor: Actor, body: DocumentBody): Promise<SilenceRecord>
  /** Updates a silence with the result of `silenceBody`; missing members keep their values. */
  update(actor: Actor, id: string, change: DocumentBody, check?: VersionCheck<SilenceRecord>): Promise<SilenceRecord>
  remove(actor: Actor, id: string, check?: VersionCheck<SilenceRecord>): Promise<void>
}

function checkMatchers(matchers: readonly SilenceMatcher[]): void {
  const faults = matchers.flatMap(({ value, isRegex }, i) => {
    const reason = isRegex ? regexpFault(value) : undefined
    if (reason === undefined) return []
    return [resourceDiagnostic('bad-pattern', { pattern: value, reason }, atPath(['matchers', i, 'value']))]
  })
  if (faults.length > 0) throw new SluiceError(faults)
  if (matchers.length > 0 && matchers.every(holdsForEmpty))
    throw new SluiceError([resourceDiagnostic('silences-everything', {}, atPath(['matchers']))])
}

/** True if a matcher matches the empty string, and therefore alerts without the label. */
function holdsForEmpty({ value, isEqual, isRegex }: SilenceMatcher): boolean {
  return (
    isEqual && (isRegex ? Regex.compile(value, { isWhole: true, dotMatchesNewline: false }).test('') : value === '')
  )
}

/**
 * Converts the members of a request to their stored form: times become strings with all nanoseconds. Throws SluiceError
 * `resources/bad-pattern` and `resources/silences-everything`, and ResourceError `resources/too-large`.
 */
export function silenceBody(given: SilenceCreate | SilenceUpdate): DocumentBody {
  const { startsAt, endsAt, comment, BackendID, ClientID, matchers } = given
  if (matchers !== undefined) checkMatchers(matchers)
  const members: readonly (readonly [string, PlainJson | undefined])[] = [
    ['startsAt', startsAt === undefined ? undefined : formatRfc3339(startsAt)],
    ['endsAt', endsAt === undefined ? undefined : formatRfc3339(endsAt)],
    ['comment', comment],
    ['BackendID', BackendID],
    ['ClientID', ClientID],
    ['matchers', matchers as PlainJson | undefined],
  ]
  const body = Object.fromEntries(members.filter((member): member is [string, PlainJson] => member[1] !== undefined))
  checkSize(body)
  return body
}

function recordOf({ id, body, createdBy }: StoredDocument, nowNs: bigint): SilenceRecord {
  const text = (name: string): string | undefined => (typeof body[name] === 'string' ? body[name] : undefined)
  const email = text('email')
  return {
    id,
    startsAt: formatRfc3339(startsAtNs(body), true),
    endsAt: formatRfc3339(endsAtNs(body), true),
    comment: text('comment') ?? '',
    matchers: (body['matchers'] ?? []) as unknown as SilenceRecord['matchers'],
    active: isActive(body, nowNs),
    createdBy,
    createdByEmail: email ?? '',
    recurringSilenceId: null,
    ...(text('BackendID') === undefined ? {} : { BackendID: text('BackendID') }),
    ...(text('ClientID') === undefined ? {} : { ClientID: text('ClientID') }),
  }
}

function* recordsOf(documents: readonly StoredDocument[], nowNs: bigint): Generator<SilenceRecord> {
  for (const document of documents) yield recordOf(document, nowNs)
}

const orders = new WeakMap<readonly StoredDocument[], readonly StoredDocument[]>()

/** Returns the silences, latest start first; cached until the next change. */
function latestFirst(documents: readonly StoredDocument[]): readonly StoredDocument[] {
  let order = orders.get(documents)
  if (order === undefined) {
    order = documents.toSorted((a, b) => {
      const [x, y] = [startsAtNs(a.body), startsAtNs(b.body)]
      return x === y ? compareText(a.id, b.id) : x > y ? -1 : 1
    })
    orders.set(documents, order)
  }
  return order
}

/** Returns the service for silences in a store. Its methods throw or reject with ResourceError and SluiceError. */
export function createSilenceService(store: DocumentStore, tools: SilenceTools): SilenceService {
  const find = (found: StoredDocument | undefined): StoredDocument => {
    if (found === undefined) throw refusal('not-found', 'not-found', { what: 'silence' })
    return found
  }
  return {
    list: (actor, { active, skip }) => {
      const nowNs = tools.nowNs()
      const found = latestFirst(store.read(actor.backend, (view) => view.list('silence'))).filter(
        ({ body }) => active !== 'true' || isActive(body, nowNs),
      )
      return recordsOf(found.slice(skip), nowNs)
    },
    read: (actor, id) =>
      recordOf(
        store.read(actor.backend, (view) => find(view.get('silence', id))),
        tools.nowNs(),
      ),
    create: async (actor, given) => {
      const id = tools.makeId()
      const body = { ...given, ...(actor.email === undefined ? {} : { email: actor.email }) }
      const stored = await store.write(actor, (tx) => tx.put('silence', id, body))
      return recordOf(stored, tools.nowNs())
    },
    update: async (actor, id, given, check) => {
      const stored = await store.write(actor, (tx) => {
        const before = find(tx.get('silence', id))
        check?.(recordOf(before, tools.nowNs()))
        const body = { ...before.body, ...given }
        if (endsAtNs(body) <= startsAtNs(body)) {
          throw refusal(
            'bad-input',
            'ends-before-start',
            {},
            atPath([given['endsAt'] === undefined ? 'startsAt' : 'endsAt']),
          )
        }
        return Object.keys(given).length === 0 ? before : tx.put('silence', id, body)
      })
      return recordOf(stored, tools.nowNs())
    },
    remove: async (actor, id, check) => {
      await store.write(actor, (tx) => {
        check?.(recordOf(find(tx.get('silence', id)), tools.nowNs()))
        if (!tx.remove('silence', id)) throw refusal('not-found', 'not-found', { what: 'silence' })
      })
    },
  }
}
