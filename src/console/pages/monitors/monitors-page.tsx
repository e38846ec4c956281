import type { JSX } from 'preact'
import { hasFeature, readOnlyReason } from '../../app/rights.ts'
import { linkTo, setParams, view } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { DefinitionEditor } from '../../forms/definition-editor.tsx'
import { jsonFormat } from '../../forms/text-formats.ts'
import { Failure } from '../../widgets/failure.tsx'
import { pageOf, Paging } from '../../widgets/paging.tsx'
import { SearchBox } from '../../widgets/search-box.tsx'
import { SortHeader } from '../../widgets/sort-header.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { DeadLetters } from './dead-letters.tsx'
import { MonitorView } from './monitor-view.tsx'
import { monitorSections, newMonitor } from './monitor-spec.ts'
import { shownMonitors } from './monitor-order.ts'
import { listMonitors, saveMonitor, states, type MonitorEntry, type State } from './monitors.ts'
import { PreviewChart } from './preview-chart.tsx'
import { StateBadge } from './state-badge.tsx'
import { yamlFormat } from './yaml-format.ts'

/** Polling interval of the states, ms: half the default evaluation interval. */
const LOOK_AGAIN_MS = 30_000

function StateChoice({ entries }: { readonly entries: readonly MonitorEntry[] }): JSX.Element {
  const chosen = view.value.params.get('state')
  const found = states.filter((state) => state === chosen || entries.some((entry) => entry.state === state))
  const numberOf = (state: State): number => entries.filter((entry) => entry.state === state).length
  return (
    <div class="choice" role="group" aria-label={texts.monitors.state}>
      <button
        type="button"
        aria-pressed={chosen === undefined}
        onClick={() => setParams({ state: undefined, page: undefined })}
      >
        {texts.monitors.all} {count(entries.length)}
      </button>
      {found.map((state) => (
        <button
          type="button"
          key={state}
          class={`state-${state}`}
          aria-pressed={chosen === state}
          onClick={() => setParams({ state: chosen === state ? undefined : state, page: undefined })}
        >
          <span class="dot" aria-hidden="true" />
          {texts.monitors.states[state]} {count(numberOf(state))}
        </button>
      ))}
    </div>
  )
}

function MonitorRow({ entry }: { readonly entry: MonitorEntry }): JSX.Element {
  const { id, title, type, state, severity, evaluatedAt, error } = entry
  return (
    <tr>
      <td>
        <StateBadge state={state} />
      </td>
      <td class="main">
        <a href={linkTo('monitors', { id })} title={title}>
          {title}
        </a>
        {error !== '' && (
          <span class="fault" title={error}>
            {error}
          </span>
        )}
      </td>
      <td class="optional">{severity}</td>
      <td class="optional">{type}</td>
      <td class="optional number">{evaluatedAt === undefined ? '–' : shortTime(Date.parse(evaluatedAt))}</td>
    </tr>
  )
}

function MonitorList(): JSX.Element {
  const { ask } = useServices()
  const { answer, failure, reload } = useAnswer((signal) => listMonitors(ask, signal), [ask], LOOK_AGAIN_MS)
  const { params } = view.value
  const sort = params.get('sort') ?? 'state'
  const onSort = (next: string): void => setParams({ sort: next === 'state' ? undefined : next }, 'same')
  const entries = answer ?? []
  const shown = shownMonitors(entries, { q: params.get('q'), state: params.get('state'), sort })
  const { page, rows } = pageOf(shown, params.get('page'))
  const mayWrite = readOnlyReason('write') === undefined
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <h1>{texts.pages.monitors}</h1>
        <SearchBox label={texts.monitors.find} />
        <StateChoice entries={entries} />
        <span class="filler" />
        {mayWrite && (
          <a class="button primary" href={linkTo('monitors', { new: 'form' })}>
            {texts.monitors.create}
          </a>
        )}
      </header>
      {!hasFeature('alerting') && <p class="advice">{texts.monitors.noAlerting}</p>}
      {failure !== undefined && <Failure failure={failure} onRetry={reload} />}
      {answer === undefined && failure === undefined && <p class="note padded">{texts.rows.loading}</p>}
      {answer !== undefined && answer.length === 0 && (
        <section class="empty">
          <p>{texts.monitors.none}</p>
          <p class="note">{texts.monitors.noneHint}</p>
        </section>
      )}
      {answer !== undefined && answer.length > 0 && (
        <>
          <div class="table-scroll" tabIndex={0} role="region" aria-label={texts.pages.monitors}>
            <table class="resources">
              <thead>
                <tr>
                  <SortHeader title={texts.monitors.state} name="state" sort={sort} onSort={onSort} />
                  <SortHeader title={texts.monitors.title} name="title" sort={sort} onSort={onSort} />
                  <SortHeader title={texts.monitors.severity} name="severity" class="optional" {...{ sort, onSort }} />
                  <SortHeader title={texts.monitors.type} name="type" class="optional" {...{ sort, onSort }} />
                  <SortHeader
                    title={texts.monitors.evaluated}
                    name="evaluated"
                    class="optional number"
                    {...{ sort, onSort }}
                  />
                </tr>
              </thead>
              <tbody>
                {rows.map((entry) => (
                  <MonitorRow key={entry.id} entry={entry} />
                ))}
              </tbody>
            </table>
            {shown.length === 0 && <p class="note padded">{texts.monitors.noMatch}</p>}
            {hasFeature('alerting') && <DeadLetters />}
          </div>
          <Paging page={page} total={shown.length} />
        </>
      )}
    </div>
  )
}

function NewMonitor(): JSX.Element {
  const { ask } = useServices()
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <a class="back" href={linkTo('monitors')}>
          {texts.pages.monitors}
        </a>
        <h1>{texts.monitors.create}</h1>
      </header>
      <DefinitionEditor
        name="monitor:new"
        what={texts.monitors.one}
        stored={undefined}
        initial={newMonitor}
        sections={monitorSections}
        formats={[yamlFormat, jsonFormat]}
        readOnlyReason={readOnlyReason('write')}
        onSave={(value) => saveMonitor(ask, undefined, value, undefined)}
        aside={(value) => <PreviewChart definition={value} />}
      />
    </div>
  )
}

/** The monitors page: the list, one monitor, or a new one. */
export function MonitorsPage(): JSX.Element {
  const { params } = view.value
  const id = params.get('id')
  if (params.has('new')) return <NewMonitor />
  if (id === undefined) return <MonitorList />
  return <MonitorView key={id} id={id} />
}
