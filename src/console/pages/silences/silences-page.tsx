import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import type { AskFailure } from '../../ask/requests.ts'
import { linkTo, setParams, view } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { hasFeature, readOnlyReason } from '../../app/rights.ts'
import { useServices } from '../../app/services.ts'
import { zone } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { shortRange, shortTime } from '../../app/times.ts'
import { DefinitionEditor, type FormSection } from '../../forms/definition-editor.tsx'
import { durationMs, roughDuration } from '../../forms/durations.ts'
import type { JsonObject } from '../../forms/model.ts'
import { Failure } from '../../widgets/failure.tsx'
import { Labels, LongText } from '../../widgets/labels.tsx'
import { pageOf, Paging } from '../../widgets/paging.tsx'
import { SearchBox } from '../../widgets/search-box.tsx'
import { useAnswer, type Answered } from '../../widgets/use-answer.ts'
import { useSettled } from '../../widgets/use-settled.ts'
import { matchersOfLink, signs } from './matchers.ts'
import {
  expireSilence,
  extendSilence,
  formMatchers,
  listAlerts,
  listSilences,
  matchersOf,
  readSilence,
  saveSilence,
  silenceStates,
  stateOf,
  type Alert,
  type Silence,
  type SilenceState,
} from './silences.ts'

const words = texts.silences

/** Polling interval of the lists, ms. */
const LOOK_AGAIN_MS = 30_000

/** Maximum number of alerts that are listed; the others are only counted. */
const MAX_ALERTS = 50

const sections: readonly FormSection[] = [
  {
    title: words.matchers,
    note: words.matchersNote,
    members: [
      {
        name: 'matchers',
        label: words.matchers,
        kind: 'list',
        itemLabel: words.matcher,
        isRow: true,
        create: () => ({ name: '', type: '=', value: '' }),
        members: () => [
          { name: 'name', label: words.label, kind: 'text' },
          { name: 'type', label: words.sign, kind: 'word', options: signs, initial: '=' },
          { name: 'value', label: words.value, kind: 'text' },
        ],
      },
    ],
  },
  {
    title: words.time,
    members: [
      { name: 'from', label: words.from, kind: 'text', initial: 'now', hint: words.fromHint },
      { name: 'duration', label: words.duration, kind: 'text', hint: words.durationHint },
      { name: 'comment', label: words.comment, kind: 'lines', isWide: true },
    ],
  },
]

function AlertList({ alerts }: { readonly alerts: readonly Alert[] }): JSX.Element {
  return (
    <>
      <ul class="alert-list">
        {alerts.slice(0, MAX_ALERTS).map(({ labels, startsAt }) => (
          <li key={JSON.stringify(labels)}>
            <Labels labels={labels} />
            <span class="note">{words.since(shortTime(Date.parse(startsAt)))}</span>
          </li>
        ))}
      </ul>
      {alerts.length > MAX_ALERTS && <p class="note">{words.moreAlerts(count(alerts.length - MAX_ALERTS))}</p>}
    </>
  )
}

/** Alerts that the silence would suppress now, shown while it is edited. */
function MatchingAlerts({ form }: { readonly form: JsonObject }): JSX.Element {
  const { ask } = useServices()
  const key = JSON.stringify(formMatchers(form).filter(({ name }) => name !== ''))
  const asked = useSettled(key)
  const { answer, failure } = useAnswer(
    async (signal) => {
      const matchers = JSON.parse(asked) as ReturnType<typeof formMatchers>
      return matchers.length === 0 || !hasFeature('alerting') ? undefined : listAlerts(ask, signal, matchers)
    },
    [asked],
  )
  return (
    <section class="preview" aria-label={words.wouldHold}>
      <h2>{words.wouldHold}</h2>
      {failure !== undefined ? (
        <p class="note">{failure.message}</p>
      ) : (
        <p class="note" role="status">
          {answer === undefined ? words.noAlertsYet : words.holds(count(answer.length))}
        </p>
      )}
      {answer !== undefined && <AlertList alerts={answer} />}
    </section>
  )
}

export function MatcherList({ silence }: { readonly silence: Silence }): JSX.Element {
  return (
    <ul class="labels">
      {matchersOf(silence).map(({ name, type, value }) => (
        <li key={`${name}${type}${value}`}>
          <span class="label-name">{name}</span>
          <span class="label-sign">{type}</span>
          <LongText text={value} />
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  readonly silence: Silence
  /** `undefined` if the user may not see alerts. */
  readonly alerts: readonly Alert[] | undefined
  readonly isOpen: boolean
  readonly onAct: (work: () => Promise<void>) => void
}

/** Durations by which a silence can be extended. */
const LONGER = ['1h', '4h', '1d'] as const

function timeWords({ startsAt, endsAt }: Silence, state: SilenceState, nowMs: number): string {
  const [startMs, endMs] = [Date.parse(startsAt), Date.parse(endsAt)]
  const span = shortRange(startMs, endMs)
  if (state === 'active') return `${span} · ${words.endsIn(roughDuration(endMs - nowMs))}`
  return state === 'pending' ? `${span} · ${words.startsIn(roughDuration(startMs - nowMs))}` : span
}

function SilenceCard({ silence, alerts, isOpen, onAct }: CardProps): JSX.Element {
  const { ask } = useServices()
  const { id, comment, createdBy = '', createdByEmail = '' } = silence
  const nowMs = Date.now()
  const state = stateOf(silence, nowMs)
  const held = alerts?.filter(({ status }) => status.silencedBy.includes(id)) ?? []
  const author = createdByEmail === '' ? createdBy : createdByEmail
  return (
    <li class={`card silence-${state}`}>
      <div class="card-head">
        <span class={`state-badge silence-${state}`}>
          <span class="dot" aria-hidden="true" />
          {words.states[state]}
        </span>
        <span class="note">{timeWords(silence, state, nowMs)}</span>
        {readOnlyReason('write') === undefined && (
          <span class="card-actions">
            <a class="button" href={linkTo('silences', { id, edit: 'form' })}>
              {words.edit}
            </a>
            <select
              aria-label={words.extend}
              value=""
              onChange={(event) => {
                const byMs = durationMs(event.currentTarget.value)
                event.currentTarget.value = ''
                if (byMs !== undefined) onAct(() => extendSilence(ask, silence, byMs, Date.now()))
              }}
            >
              <option value="">{words.extend}</option>
              {LONGER.map((length) => (
                <option key={length} value={length}>
                  +{length}
                </option>
              ))}
            </select>
            {state !== 'expired' && (
              <button
                type="button"
                class="button danger"
                onClick={() => onAct(() => expireSilence(ask, silence, Date.now()))}
              >
                {state === 'active' ? words.expire : words.delete}
              </button>
            )}
          </span>
        )}
      </div>
      <MatcherList silence={silence} />
      <p class="card-text">
        {comment !== '' && <LongText text={comment} />} <span class="note">{words.by(author)}</span>
      </p>
      {state === 'active' && alerts !== undefined && (
        <details open={isOpen && held.length > 0}>
          <summary>{words.holds(count(held.length))}</summary>
          <AlertList alerts={held} />
        </details>
      )}
    </li>
  )
}

interface Lists {
  readonly silences: Answered<readonly Silence[]>
  readonly alerts: Answered<readonly Alert[] | undefined>
}

function useLists(): Lists {
  const { ask } = useServices()
  const silences = useAnswer((signal) => listSilences(ask, signal), [ask], LOOK_AGAIN_MS)
  const alerts = useAnswer(
    async (signal) => (hasFeature('alerting') ? listAlerts(ask, signal) : undefined),
    [ask],
    LOOK_AGAIN_MS,
  )
  return { silences, alerts }
}

function matches({ comment, createdByEmail = '', createdBy = '', matchers }: Silence, text: string): boolean {
  const all = [comment, createdByEmail, createdBy, ...matchers.flatMap(({ name, value }) => [name, value])]
  const whole = all.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
}

function SilenceList({ id }: { readonly id: string | undefined }): JSX.Element {
  const { silences, alerts } = useLists()
  const [failure, setFailure] = useState<AskFailure>()
  const { params } = view.value
  const nowMs = Date.now()
  const wanted = silenceStates.find((state) => state === params.get('state'))
  const all = silences.answer ?? []
  const found = all
    .filter((silence) => (id === undefined ? true : silence.id === id))
    .filter((silence) => wanted === undefined || stateOf(silence, nowMs) === wanted)
    .filter((silence) => matches(silence, params.get('q') ?? ''))
    .toSorted((a, b) => silenceStates.indexOf(stateOf(a, nowMs)) - silenceStates.indexOf(stateOf(b, nowMs)))
  const { page, rows } = pageOf(found, params.get('page'))
  const act = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      setFailure(undefined)
      silences.reload()
      alerts.reload()
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  const reason = readOnlyReason('write')
  return (
    <div class="resource-page">
      <header class="resource-bar">
        {id !== undefined && (
          <a class="back" href={linkTo('silences')}>
            {words.all}
          </a>
        )}
        <h1>{texts.pages.silences}</h1>
        {id === undefined && (
          <>
            <SearchBox label={words.find} />
            <div class="choice" role="group" aria-label={words.state}>
              {silenceStates.map((state) => (
                <button
                  type="button"
                  key={state}
                  class={`silence-${state}`}
                  aria-pressed={wanted === state}
                  onClick={() => setParams({ state: wanted === state ? undefined : state, page: undefined })}
                >
                  <span class="dot" aria-hidden="true" />
                  {words.states[state]} {count(all.filter((silence) => stateOf(silence, nowMs) === state).length)}
                </button>
              ))}
            </div>
          </>
        )}
        <span class="filler" />
        {reason === undefined && (
          <a class="button primary" href={linkTo('silences', { new: 'form' })}>
            {words.create}
          </a>
        )}
      </header>
      {reason !== undefined && <p class="advice">{reason}</p>}
      {failure !== undefined && <Failure failure={failure} />}
      {silences.failure !== undefined && <Failure failure={silences.failure} onRetry={silences.reload} />}
      {alerts.failure !== undefined && <p class="advice">{words.noAlerts(alerts.failure.message)}</p>}
      <div class="resource-body" tabIndex={0} role="region" aria-label={texts.pages.silences}>
        {silences.answer === undefined && silences.failure === undefined && <p class="note">{texts.rows.loading}</p>}
        {silences.answer !== undefined && found.length === 0 && (
          <section class="empty">
            <p>{all.length === 0 ? words.none : words.noMatch}</p>
            <p class="note">{words.noneHint}</p>
          </section>
        )}
        <ul class="cards">
          {rows.map((silence) => (
            <SilenceCard
              key={silence.id}
              silence={silence}
              alerts={alerts.answer}
              isOpen={id !== undefined}
              onAct={(work) => void act(work)}
            />
          ))}
        </ul>
      </div>
      <Paging page={page} total={found.length} />
    </div>
  )
}

function SilenceEditor({ id }: { readonly id: string | undefined }): JSX.Element {
  const { ask } = useServices()
  const { answer, failure, reload } = useAnswer(
    async (signal) => (id === undefined ? undefined : readSilence(ask, id, signal)),
    [ask, id],
  )
  const labels = view.value.params.get('labels')
  const stored = answer === undefined ? undefined : { value: answer.value, tag: answer.tag }
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <a class="back" href={linkTo('silences')}>
          {texts.pages.silences}
        </a>
        <h1>{id === undefined ? words.create : words.edit}</h1>
      </header>
      {failure !== undefined && <Failure failure={failure} onRetry={reload} />}
      {(id === undefined || stored !== undefined) && (
        <DefinitionEditor
          name={`silence:${id ?? `new ${labels ?? ''}`}`}
          what={words.one}
          stored={stored}
          initial={{
            matchers: matchersOfLink(labels).map((matcher) => ({ ...matcher })),
            duration: '2h',
            comment: '',
          }}
          sections={sections}
          formats={[]}
          readOnlyReason={readOnlyReason('write')}
          onSave={(form, before) => saveSilence(ask, id, form, before, zone.peek() === 'utc')}
          aside={(form) => <MatchingAlerts form={form} />}
        />
      )}
    </div>
  )
}

/** The silences page: the list, one silence, or a new one. */
export function SilencesPage(): JSX.Element {
  const { params } = view.value
  const id = params.get('id')
  if (params.has('new')) return <SilenceEditor key="new" id={undefined} />
  if (id !== undefined && params.has('edit')) return <SilenceEditor key={id} id={id} />
  return <SilenceList id={id} />
}
