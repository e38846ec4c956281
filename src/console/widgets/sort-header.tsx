import type { JSX } from 'preact'

interface Props {
  readonly title: string
  readonly name: string
  /** Sort column; the prefix `-` means descending. */
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly class?: string
}

/** Header of a sortable column. */
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
