import { sizeText } from '../../../base/index.ts'
import { useEffect } from 'preact/hooks'
import type { JSX } from 'preact'
import { bindKeys } from '../../app/keys.ts'
import { linkTo, setParams, view as currentView } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { Failure } from '../../widgets/failure.tsx'
import { PAGE_ROWS, Paging } from '../../widgets/paging.tsx'
import { QueryEditor } from '../../widgets/query-editor.tsx'
import { SortHeader } from '../../widgets/sort-header.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { useDraft } from '../../widgets/use-draft.ts'
import { useLatest } from '../../widgets/use-latest.ts'
import {
  columns,
  rounded,
  rowsOf,
  type Cluster,
  type ResourceUse,
  type Workload,
  type WorkloadPage,
} from './records.ts'

/** Polling interval of the list, ms. */
const REFRESH_MS = 30_000

/** Default sort order: busiest workloads first. */
const FIRST_SORT = '-rps'

interface ListView {
  readonly query: string
  /** Sort column; the prefix `-` means descending. */
  readonly sort: string
  readonly page: number
}

function viewOfParams(params: ReadonlyMap<string, string>): ListView {
  const sort = params.get('sort') ?? FIRST_SORT
  const page = Number(params.get('page') ?? 0)
  return {
    query: params.get('q') ?? '',
    sort: columns.some(({ key }) => key === sort.replace(/^-/, '')) ? sort : FIRST_SORT,
    page: Number.isInteger(page) && page > 0 ? page : 0,
  }
}

function Use({ title, use, text }: { title: string; use: ResourceUse | undefined; text: (value: number) => string }) {
  const { Usage: usage, Allocatable: most, UsageAllocatablePercent: percent } = use ?? {}
  if (typeof usage !== 'number') return null
  return (
    <div class="use">
      <span class="title">{title}</span>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${Math.min(100, percent ?? 0)}%` }} />
      </span>
      <span class="figure">
        {text(usage)}
        {typeof most === 'number' && ` / ${text(most)}`}
      </span>
    </div>
  )
}

function ClusterCard({ cluster, onChoose }: { readonly cluster: Cluster; readonly onChoose: () => void }): JSX.Element {
  const { name, env, kubernetesVersion, nodesCount, issueCount, pods = {}, cpu, memory } = cluster
  const facts = [env, kubernetesVersion, typeof nodesCount === 'number' ? texts.workloads.nodes(count(nodesCount)) : '']
  return (
    <li class="cluster-card">
      <button type="button" class="link" title={texts.workloads.onlyCluster(name)} onClick={onChoose}>
        {name}
      </button>
      <p class="note">{facts.filter((fact) => fact !== undefined && fact !== '').join(' · ')}</p>
      <Use title={texts.workloads.cpu} use={cpu} text={rounded} />
      <Use title={texts.workloads.memory} use={memory} text={sizeText} />
      <p class="pods">
        {Object.entries(pods).map(([state, number]) => (
          <span key={state} class={state === 'running' || number === 0 ? '' : 'fault'}>
            {count(number)} {state}
          </span>
        ))}
        {typeof issueCount === 'number' && issueCount > 0 && (
          <span class="fault">{texts.workloads.issueCount(count(issueCount))}</span>
        )}
      </p>
    </li>
  )
}

const domains = [
  { page: 'logs', title: texts.pages.logs },
  { page: 'events', title: texts.pages.events },
  { page: 'traces', title: texts.pages.traces },
] as const

function WorkloadRow({ workload }: { readonly workload: Workload }): JSX.Element {
  return (
    <tr>
      {columns.map(({ key, isNumber, text, share, isBad }) => {
        const part = share?.(workload)
        const name = `${isNumber ? 'number ' : ''}col-${key}${isBad?.(workload) === true ? ' fault' : ''}`
        if (key === 'workload')
          return (
            <th key={key} scope="row" title={workload.workload}>
              <span class="name">{workload.workload}</span>
              <span class="kind">{workload.kind}</span>
            </th>
          )
        return (
          <td key={key} class={name}>
            {text(workload)}
            {part !== undefined && (
              <span class="meter" aria-hidden="true">
                <span style={{ width: `${100 * part}%` }} />
              </span>
            )}
          </td>
        )
      })}
      <td class="links">
        {domains.map(({ page, title }) => (
          <a
            key={page}
            href={linkTo(page, { q: rowsOf(workload) })}
            aria-label={texts.workloads.linkOf(title, workload.workload)}
          >
            {title}
          </a>
        ))}
      </td>
    </tr>
  )
}

/** Clusters, and the workloads that match a filter. The URL determines everything that it shows. */
export function WorkloadsPage(): JSX.Element {
  const { ask, language } = useServices()
  const wanted = viewOfParams(currentView.value.params)
  const { query, sort, page } = wanted
  const draft = useDraft(query)
  const listed = useAnswer(
    async (signal): Promise<WorkloadPage> => {
      const body = {
        Limit: PAGE_ROWS,
        Skip: page * PAGE_ROWS,
        SortBy: sort.replace(/^-/, ''),
        Order: sort.startsWith('-') ? 'desc' : 'asc',
        ...(query.trim() === '' ? {} : { gcqlFilter: query }),
      }
      const answer = await ask('json', { method: 'POST', path: '/api/k8s/v3/workloads/list', body }, { signal })
      return answer.body as WorkloadPage
    },
    [ask, query, sort, page],
    REFRESH_MS,
  )
  const clusters = useAnswer(
    async (signal): Promise<readonly Cluster[]> => {
      const answer = await ask('json', { method: 'POST', path: '/api/k8s/v3/clusters/list', body: {} }, { signal })
      return (answer.body as { readonly clusters: readonly Cluster[] }).clusters
    },
    [ask],
    REFRESH_MS,
  )
  const shown = useLatest(listed.answer)
  const run = (text = draft.text()): void => {
    if (text === query) listed.reload()
    else setParams({ q: text, page: undefined })
  }
  const write = (text: string): void => {
    draft.write(text)
    run(text)
  }
  const chooseCluster = async (name: string): Promise<void> => {
    const request = { text: draft.text(), table: 'workloads', dialect: 'native', field: 'cluster' } as const
    write(await language.call('narrow', { ...request, value: name, isExcluded: false }))
  }
  useEffect(
    () => bindKeys([{ key: 'Ctrl+Enter', help: texts.query.runHint, run: () => run() }]),
    [query, listed.reload],
  )
  return (
    <div class="search">
      <form class="query-bar" onSubmit={(event) => (event.preventDefault(), run())}>
        <QueryEditor
          value={draft.value}
          table="workloads"
          dialect="native"
          label={texts.workloads.filter}
          placeholder={texts.workloads.placeholder}
          onChange={draft.onChange}
          onRun={() => run()}
        />
        <button class="button primary" title={texts.query.runHint}>
          {texts.query.run}
        </button>
      </form>
      {clusters.failure !== undefined && <p class="advice fault">{clusters.failure.message}</p>}
      {(clusters.answer?.length ?? 0) > 0 && (
        <ul class="clusters" aria-label={texts.workloads.clusters} tabIndex={0}>
          {clusters.answer?.map((cluster) => (
            <ClusterCard key={cluster.name} cluster={cluster} onChoose={() => void chooseCluster(cluster.name)} />
          ))}
        </ul>
      )}
      {listed.failure !== undefined ? (
        <Failure failure={listed.failure} query={query} onFix={write} onRetry={listed.reload} />
      ) : (
        <section class="results" aria-busy={listed.answer === undefined}>
          <div class="toolbar">
            <p class="status" role="status">
              {shown === undefined ? texts.rows.loading : texts.workloads.found(count(shown.total))}
            </p>
            {shown !== undefined && <Paging page={page} total={shown.total} />}
          </div>
          {shown !== undefined &&
            (shown.workloads.length === 0 ? (
              <section class="empty">
                <p>{texts.workloads.none}</p>
                {(query !== '' || page > 0) && (
                  <button
                    type="button"
                    class="button"
                    onClick={() => (draft.write(''), setParams({ q: undefined, page: undefined }))}
                  >
                    {texts.workloads.all}
                  </button>
                )}
              </section>
            ) : (
              <div class="table-scroll" tabIndex={0} role="region" aria-label={texts.pages.workloads}>
                <table class="groups workloads">
                  <thead>
                    <tr>
                      {columns.map(({ key, title, isNumber }) => (
                        <SortHeader
                          key={key}
                          title={title}
                          name={key}
                          sort={sort}
                          class={`${isNumber ? 'number ' : ''}col-${key}`}
                          onSort={(next) =>
                            setParams({ sort: next === FIRST_SORT ? undefined : next, page: undefined })
                          }
                        />
                      ))}
                      <th scope="col" class="links">
                        {texts.workloads.links}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.workloads.map((workload) => (
                      <WorkloadRow key={workload.uid} workload={workload} />
                    ))}
                  </tbody>
                </table>
              </div>
            ))}
        </section>
      )}
    </div>
  )
}
