import type { JSX } from 'preact'
import { rowTime } from '../../app/times.ts'

/** Table cell with the time of a row. Narrow windows hide the date. */
export function RowTime({ text }: { readonly text: string | undefined }): JSX.Element {
  const shown = rowTime(text ?? '')
  const [date = '', time] = shown.split(' ')
  return (
    <span class="cell time" role="gridcell" title={shown}>
      {time === undefined ? (
        shown
      ) : (
        <>
          <span class="date">{date} </span>
          {time}
        </>
      )}
    </span>
  )
}
