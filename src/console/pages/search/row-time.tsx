import type { JSX } from 'preact'
import { rowTime } from '../../app/times.ts'

/** The time of a row in its cell. A narrow window has no room for the date. */
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
