import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import type { AskFailure } from '../../ask/requests.ts'
import { hasFeature, readOnlyReason } from '../../app/rights.ts'
import { goTo, linkTo, view, viewOf } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { DefinitionEditor } from '../../forms/definition-editor.tsx'
import type { Stored } from '../../forms/stored.ts'
import { jsonFormat } from '../../forms/text-formats.ts'
import { AskDialog } from '../../widgets/dialog.tsx'
import { Failure } from '../../widgets/failure.tsx'
import { Labels, LongText } from '../../widgets/labels.tsx'
import { pageOf, Paging } from '../../widgets/paging.tsx'
import { shortNumber } from '../../widgets/time-chart.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { linkOfSilence } from '../silences/silence-link.ts'
import { DeadLetters } from './dead-letters.tsx'
import { monitorSections } from './monitor-spec.ts'
import {
  deleteMonitor,
  readMonitor,
  readState,
  resolveAlert,
  saveMonitor,
  setPaused,
  stateOf,
  stateOfWord,
  states,
  type Instance,
  type MonitorState,
} from './monitors.ts'
import { PreviewChart } from './preview-chart.tsx'
import { StateBadge } from './state-badge.tsx'
import { TimeLine } from './time-line.tsx'
import { yamlFormat } from './yaml-format.ts'

/** Polling interval of the state, ms. It is shorter than the usual evaluation interval. */
const LOOK_AGAIN_MS = 15_000

interface InstanceProps {
  readonly instance: Instance
  /** Names of labels that all instances share; they are shown once. */
  readonly shared: ReadonlySet<string>
  readonly mayResolve: boolean
  readonly onResolve: () => void
}

function InstanceRow({ instance, shared, mayResolve, onResolve }: InstanceProps): JSX.Element {
  const { labels, state, reason, value, activeAt, firedAt, annotations, silencedBy } = instance
  const since = firedAt ?? activeAt
  const isAlert = state !== 'Normal'
  return (
    <tr>
      <td>
        <StateBadge state={stateOfWord(state)} />
        {reason !== undefined && <span class="note block">{reason}</span>}
      </td>
      <td class="main">
        <Labels labels={picked(labels, (name) => !shared.has(name))} />
        {Object.entries(annotations).map(([name, text]) => (
          <p class="note" key={name}>
            {name}: <LongText text={text} />
          </p>
        ))}
        {silencedBy.length > 0 && (
          <p class="note">
            {texts.monitors.silencedBy}{' '}
            {silencedBy.map((id) => (
              <a key={id} href={linkTo('silences', { id })}>
                {id.slice(0, 8)}
              </a>
            ))}
          </p>
        )}
      </td>
      <td class="number">{value === undefined ? '–' : shortNumber(value)}</td>
      <td class="number optional">{since === undefined ? '–' : shortTime(Date.parse(since))}</td>
      <td class="actions">
        {isAlert && readOnlyReason('write') === undefined && (
          <>
            <a class="button" href={linkOfSilence(labels)}>
              {texts.monitors.silence}
            </a>
            {mayResolve && state === 'Alerting' && (
              <button type="button" class="button" onClick={onResolve}>
                {texts.monitors.resolve}
              </button>
            )}
          </>
        )}
      </td>
    </tr>
  )
}

interface StateProps {
  readonly id: string
  readonly stored: Stored
  readonly state: MonitorState
  readonly onAct: (work: () => Promise<void>) => void
}

function picked(labels: Instance['labels'], isPicked: (name: string) => boolean): Instance['labels'] {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => isPicked(name)))
}

/** Returns the names of the labels that have the same value in all instances. */
function sharedLabels(instances: readonly Instance[]): ReadonlySet<string> {
  const [first] = instances
  const names = instances.length < 2 ? [] : Object.keys(first?.labels ?? {})
  return new Set(names.filter((name) => instances.every(({ labels }) => labels[name] === first?.labels[name])))
}

function StateView({ id, stored, state, onAct }: StateProps): JSX.Element {
  const { ask } = useServices()
  const instances = state.instances.toSorted(
    (a, b) => states.indexOf(stateOfWord(a.state)) - states.indexOf(stateOfWord(b.state)),
  )
  const shared = sharedLabels(instances)
  const { page, rows } = pageOf(instances, view.value.params.get('page'))
  const endMs = state.evaluatedAt === undefined ? Date.now() : Date.parse(state.evaluatedAt)
  return (
    <div class="resource-body">
      {state.error !== undefined && (
        <section class="failure" role="alert">
          <p class="message">{texts.monitors.failed}</p>
          <LongText text={state.error} />
        </section>
      )}
      <section class="resource-section" aria-label={texts.monitors.instances}>
        <h2>
          {texts.monitors.instances} <span class="note">{count(instances.length)}</span>
        </h2>
        {shared.size > 0 && (
          <div class="shared-labels">
            <span class="note">{texts.monitors.sharedLabels}</span>
            <Labels labels={picked(instances[0]?.labels ?? {}, (name) => shared.has(name))} />
          </div>
        )}
        {instances.length === 0 ? (
          <p class="note">{state.evaluatedAt === undefined ? texts.monitors.notYet : texts.monitors.noInstances}</p>
        ) : (
          <table class="resources instances">
            <thead>
              <tr>
                <th scope="col">{texts.monitors.state}</th>
                <th scope="col">{texts.monitors.labels}</th>
                <th scope="col" class="number">
                  {texts.monitors.value}
                </th>
                <th scope="col" class="number optional">
                  {texts.monitors.since}
                </th>
                <th scope="col">
                  <span class="hidden-text">{texts.monitors.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((instance) => (
                <InstanceRow
                  key={JSON.stringify(instance.labels)}
                  instance={instance}
                  shared={shared}
                  mayResolve={stored.value['autoResolve'] === false}
                  onResolve={() => onAct(() => resolveAlert(ask, id, instance.labels))}
                />
              ))}
            </tbody>
          </table>
        )}
        <Paging page={page} total={instances.length} />
      </section>
      <section class="resource-section" aria-label={texts.monitors.history}>
        <h2>{texts.monitors.history}</h2>
        <TimeLine history={state.history} instances={state.instances} endMs={endMs} shared={shared} />
      </section>
      <PreviewChart definition={stored.value} isAtOnce />
      <DeadLetters />
    </div>
  )
}

/** One monitor: its state with the available actions, or its definition. */
export function MonitorView({ id }: { readonly id: string }): JSX.Element {
  const { ask } = useServices()
  const isEditing = view.value.params.has('edit')
  const definition = useAnswer((signal) => readMonitor(ask, id, signal), [ask, id, isEditing])
  const state = useAnswer(
    async (signal) => (hasFeature('alerting') ? readState(ask, id, signal) : undefined),
    [ask, id],
    LOOK_AGAIN_MS,
  )
  const [failure, setFailure] = useState<AskFailure>()
  const [isDeleting, setIsDeleting] = useState(false)
  const act = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      setFailure(undefined)
      definition.reload()
      state.reload()
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  const stored = definition.answer
  const reason = readOnlyReason('write')
  const title = typeof stored?.value['title'] === 'string' ? stored.value['title'] : id
  const isPaused = stored?.value['isPaused'] === true
  const found = state.answer
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <a class="back" href={linkTo('monitors')}>
          {texts.pages.monitors}
        </a>
        <h1 title={title}>{title}</h1>
        {found !== undefined && <StateBadge state={isPaused ? 'paused' : stateOf(found)} />}
        {found?.evaluatedAt !== undefined && (
          <span class="note">{texts.monitors.evaluatedAt(shortTime(Date.parse(found.evaluatedAt)))}</span>
        )}
        <span class="filler" />
        {!isEditing && (
          <a class="button" href={linkTo('monitors', { id, edit: 'form' })}>
            {reason === undefined ? texts.monitors.edit : texts.monitors.definition}
          </a>
        )}
        {!isEditing && reason === undefined && (
          <>
            <button type="button" class="button" onClick={() => void act(() => setPaused(ask, id, !isPaused))}>
              {isPaused ? texts.monitors.resume : texts.monitors.pause}
            </button>
            <a class="button" href={linkOfSilence({ alertname: title })}>
              {texts.monitors.silenceAll}
            </a>
            <button type="button" class="button danger" onClick={() => setIsDeleting(true)}>
              {texts.monitors.delete}
            </button>
          </>
        )}
      </header>
      {failure !== undefined && <Failure failure={failure} />}
      {definition.failure !== undefined && stored === undefined && (
        <Failure failure={definition.failure} onRetry={definition.reload} />
      )}
      {stored !== undefined && isEditing && (
        <DefinitionEditor
          name={`monitor:${id}`}
          what={texts.monitors.one}
          stored={stored}
          initial={{}}
          sections={monitorSections}
          formats={[yamlFormat, jsonFormat]}
          readOnlyReason={reason}
          onSave={(value, before) => saveMonitor(ask, id, value, before)}
          aside={(value) => <PreviewChart definition={value} />}
        />
      )}
      {stored !== undefined && !isEditing && (
        <>
          {reason !== undefined && <p class="advice">{reason}</p>}
          {!hasFeature('alerting') && <p class="advice">{texts.monitors.noAlerting}</p>}
          {found !== undefined && <StateView id={id} stored={stored} state={found} onAct={(work) => void act(work)} />}
          {state.failure !== undefined && found === undefined && (
            <Failure failure={state.failure} onRetry={state.reload} />
          )}
        </>
      )}
      {isDeleting && (
        <AskDialog
          title={texts.monitors.deleteTitle(title)}
          text={texts.monitors.deleteText}
          yes={texts.monitors.delete}
          no={texts.edit.cancel}
          onNo={() => setIsDeleting(false)}
          onYes={() => {
            setIsDeleting(false)
            void act(async () => {
              await deleteMonitor(ask, id, stored?.tag)
              goTo(viewOf(linkTo('monitors')))
            })
          }}
        />
      )}
    </div>
  )
}
