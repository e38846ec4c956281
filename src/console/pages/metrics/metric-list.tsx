import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import type { AskFailure } from '../../ask/requests.ts'
import { VirtualList } from '../../widgets/virtual-list.tsx'
import type { Metric } from './metric-names.ts'

/** Height of a row in pixels (name and help), as in the style sheet. */
const ROW_HEIGHT = 46

interface Props {
  readonly metrics: readonly Metric[] | undefined
  readonly failure: AskFailure | undefined
  readonly onChoose: (metric: Metric) => void
}

/** Lists the server's metrics with type and help. Choosing one inserts a suitable expression. */
export function MetricList({ metrics, failure, onChoose }: Props): JSX.Element {
  const [wanted, setWanted] = useState('')
  const [selected, setSelected] = useState<number>()
  const words = wanted.toLowerCase().split(/\s+/)
  const shown = (metrics ?? []).filter(({ name, help }) => {
    const text = `${name} ${help}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const choose = (index: number | undefined): void => {
    const metric = index === undefined ? undefined : shown[index]
    if (metric !== undefined) onChoose(metric)
  }
  return (
    <aside class="facets metric-list" aria-label={texts.metrics.list} aria-busy={metrics === undefined}>
      <input
        type="search"
        placeholder={texts.metrics.find}
        aria-label={texts.metrics.find}
        value={wanted}
        onInput={(event) => (setWanted(event.currentTarget.value), setSelected(undefined))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(0)
        }}
      />
      {failure !== undefined && <p class="fault">{failure.message}</p>}
      {metrics !== undefined && shown.length === 0 && <p class="note">{texts.metrics.noMetrics}</p>}
      {shown.length > 0 && (
        <div
          class="metric-rows"
          onKeyDown={(event) => {
            if (event.key === 'Enter') choose(selected)
          }}
        >
          <VirtualList
            count={shown.length}
            rowHeight={ROW_HEIGHT}
            rowIds="metric"
            label={`${texts.metrics.list}: ${count(shown.length)}`}
            selected={selected}
            onSelect={setSelected}
            onVisible={() => undefined}
            renderRow={(index) => {
              const metric = shown[index]
              return (
                <div
                  class="metric"
                  role="row"
                  id={`metric-${index}`}
                  key={metric?.name}
                  aria-rowindex={index + 1}
                  aria-selected={index === selected}
                  title={`${metric?.name}\n${metric?.help}`}
                  onClick={() => (setSelected(index), choose(index))}
                >
                  <span class="name" role="gridcell">
                    {metric?.name}
                  </span>
                  <span class="help" role="gridcell">
                    {metric?.type !== '' && <span class="type">{metric?.type}</span>} {metric?.help}
                  </span>
                </div>
              )
            }}
          />
        </div>
      )}
    </aside>
  )
}
