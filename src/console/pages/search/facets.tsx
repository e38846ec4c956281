import { useState } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'
import { count, percent } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import type { AskFailure, Facet } from '../../ask/requests.ts'

interface Props {
  readonly facets: readonly Facet[] | AskFailure | undefined
  /** Start of the counted part of the range, Unix ms; older rows are not counted. */
  readonly sinceMs?: number | undefined
  readonly columns: readonly string[]
  readonly onNarrow: (field: string, value: string, isExcluded: boolean) => void
  /** Adds or removes a column; `undefined` if the rows are not shown in columns. */
  readonly onToggleColumn?: (name: string) => void
}

/** Maximum number of fields shown; others are found by name. */
const MAX_FACETS = 60

function isFailure(facets: readonly Facet[] | AskFailure): facets is AskFailure {
  return 'kind' in facets
}

function FieldFacet({ facet, ...props }: { readonly facet: Facet } & Omit<Props, 'facets'>): JSX.Element {
  const { columns, onNarrow, onToggleColumn } = props
  const { name, values } = facet
  const all = values.reduce((sum, { hits }) => sum + hits, 0)
  return (
    <div class="facet">
      <details open={values.length > 1 && values.length <= 6}>
        <summary>
          <span class="name">{name}</span>
        </summary>
        <ul>
          {values.map(({ value, hits }) => (
            <li key={value}>
              <button
                type="button"
                class="facet-value"
                title={texts.detail.only(name)}
                onClick={() => onNarrow(name, value, false)}
              >
                <span class="bar" style={{ width: percent(hits, all) }} />
                <span class="text">{value === '' ? '""' : value}</span>
                <span class="hits">{count(hits)}</span>
              </button>
              <button
                type="button"
                class="quiet"
                title={texts.detail.except(name)}
                aria-label={`${texts.detail.except(name)}: ${value}`}
                onClick={() => onNarrow(name, value, true)}
              >
                −
              </button>
            </li>
          ))}
        </ul>
      </details>
      {onToggleColumn !== undefined && (
        <button
          type="button"
          class="quiet column-toggle"
          aria-pressed={columns.includes(name)}
          title={texts.rows.addColumn(name)}
          aria-label={texts.rows.addColumn(name)}
          onClick={() => onToggleColumn(name)}
        >
          ▥
        </button>
      )}
    </div>
  )
}

interface FrameProps {
  readonly isBusy?: boolean
  readonly children: ComponentChildren
}

/** Frame of the field list: beside the rows, or behind a button in a narrow window. */
function FacetsFrame({ isBusy = false, children }: FrameProps): JSX.Element {
  return (
    <>
      <button type="button" class="button facets-button" popovertarget="facets">
        {texts.facets.title}
      </button>
      <aside id="facets" class="facets" popover="auto" aria-label={texts.facets.title} aria-busy={isBusy}>
        {children}
      </aside>
    </>
  )
}

/** Fields of the rows with their most frequent values. */
export function Facets({ facets, sinceMs, ...props }: Props): JSX.Element {
  const [wanted, setWanted] = useState('')
  if (facets !== undefined && isFailure(facets))
    return (
      <FacetsFrame>
        <p class="note">
          {texts.facets.failed} {facets.message}
        </p>
      </FacetsFrame>
    )
  const shown = facets?.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
  return (
    <FacetsFrame isBusy={facets === undefined}>
      <input
        type="search"
        placeholder={texts.facets.filter}
        aria-label={texts.facets.filter}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      {sinceMs !== undefined && <p class="note">{texts.facets.since(shortTime(sinceMs))}</p>}
      {shown?.slice(0, MAX_FACETS).map((facet) => (
        <FieldFacet key={facet.name} facet={facet} {...props} />
      ))}
      {shown !== undefined && shown.length > MAX_FACETS && (
        <p class="note">{texts.facets.more(count(shown.length - MAX_FACETS))}</p>
      )}
      {shown?.length === 0 && <p class="note">{texts.facets.none}</p>}
    </FacetsFrame>
  )
}
