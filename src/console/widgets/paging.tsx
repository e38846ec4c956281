import type { JSX } from 'preact'
import { setParams } from '../app/location.ts'
import { count } from '../app/numbers.ts'
import { texts } from '../app/texts.ts'

/** Number of rows in a page: some screens, so that it can be searched in the browser and printed. */
export const PAGE_ROWS = 100

/** Returns the page number of the URL and the rows on that page. */
export function pageOf<T>(
  rows: readonly T[],
  parameter: string | undefined,
): { readonly page: number; readonly rows: readonly T[] } {
  const last = Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1)
  const wanted = Number(parameter ?? 0)
  const page = Number.isInteger(wanted) ? Math.min(last, Math.max(0, wanted)) : 0
  return { page, rows: rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS) }
}

/** Buttons for the previous and next page; nothing if there is only one. */
export function Paging({ page, total }: { readonly page: number; readonly total: number }): JSX.Element | null {
  if (total <= PAGE_ROWS) return null
  const to = Math.min(total, (page + 1) * PAGE_ROWS)
  const go = (next: number): void => setParams({ page: next === 0 ? undefined : String(next) })
  return (
    <nav class="paging" aria-label={texts.edit.pages}>
      <button type="button" class="button" disabled={page === 0} onClick={() => go(page - 1)}>
        {texts.edit.previousPage}
      </button>
      <span>{texts.edit.rowsOf(count(page * PAGE_ROWS + 1), count(to), count(total))}</span>
      <button type="button" class="button" disabled={to >= total} onClick={() => go(page + 1)}>
        {texts.edit.nextPage}
      </button>
    </nav>
  )
}
