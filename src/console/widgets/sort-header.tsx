import type { JSX } from 'preact'

interface Props {
  readonly title: string
  readonly name: string
  /** The column that sorts the rows, with `-` in front for the largest first. */
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly class?: string
}

/** The head of a column by which rows can be sorted. */
export function SortHeader({ title, name, sort, onSort, class: className }: Props): JSX.Element {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
  return (
    <th aria-sort={direction} class={className} scope="col">
      <button type="button" onClick={() => onSort(sort === name ? `-${name}` : name)}>
        {title}
        <span aria-hidden="true">{direction === 'ascending' ? ' ▲' : direction === 'descending' ? ' ▼' : ''}</span>
      </button>
    </th>
  )
}
