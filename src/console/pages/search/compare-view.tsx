import type { JSX } from 'preact'
import { setParams, view as currentView } from '../../app/location.ts'
import { formText } from '../../app/form-text.ts'
import { count, percent } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import type { ShownRow } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { textIn } from './row-parts.ts'
import type { Shown } from './search.ts'
import { behind } from './answers.ts'
import { useSideQuery } from './side-query.ts'

/** Maximum number of values that are listed. */
const MAX_VALUES = 50

/** Default filter that splits rows, for a query without one. */
const FIRST_SPLIT = 'level:error'

/**
 * Returns the query for the comparison: the matching rows with all others in the range, or two parts of the matching
 * rows.
 */
function questionOf(query: string, split: string | undefined): string {
  const isFilter = query.trim() !== '' && query.trim() !== '*' && !query.includes('|')
  return split === undefined && isFilter
    ? `* | compare (${query}) ${MAX_VALUES}`
    : behind(query, `compare (${split ?? FIRST_SPLIT}) ${MAX_VALUES}`)
}

function Share({
  row,
  name,
  hits,
}: {
  readonly row: ShownRow
  readonly name: string
  readonly hits: string
}): JSX.Element {
  const share = Number(textIn(row, name) ?? 0)
  return (
    <td class={name === 'share' ? 'share-cell' : 'share-cell of-others'}>
      <span class="bar" style={{ width: percent(share, 1) }} />
      <span class="text">
        {(100 * share).toFixed(1)} % ({count(Number(textIn(row, hits) ?? 0))})
      </span>
    </td>
  )
}

/** Values that are more frequent in one part of the rows than in the other, such as what errors have in common. */
export function CompareView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { query } = shown.view
  const split = currentView.value.params.get('split')
  const asked = questionOf(query, split)
  const { rows, failure } = useSideQuery(shown, asked, MAX_VALUES)
  const isAgainstAll = asked.startsWith('* | compare')
  return (
    <section class="compare">
      <form
        class="split"
        onSubmit={(event) => {
          event.preventDefault()
          const text = formText(event.currentTarget, 'split')
          setParams({ split: text === '' ? undefined : text })
        }}
      >
        <label>
          {isAgainstAll ? texts.compare.all : texts.compare.split}
          <input
            name="split"
            key={split}
            defaultValue={split ?? (isAgainstAll ? '' : FIRST_SPLIT)}
            placeholder={texts.compare.example}
            spellcheck={false}
            autocomplete="off"
          />
        </label>
        <button class="button">{texts.compare.run}</button>
      </form>
      {failure !== undefined ? (
        <Failure failure={failure} query={asked} />
      ) : (
        <div
          class="table-scroll"
          tabIndex={0}
          role="region"
          aria-label={texts.forms.compare}
          aria-busy={rows === undefined}
        >
          {rows?.length === 0 && <p class="note">{texts.compare.none}</p>}
          <table class="groups">
            <thead>
              <tr>
                <th scope="col">{texts.compare.value}</th>
                <th scope="col">{texts.compare.these}</th>
                <th scope="col">{texts.compare.others}</th>
                <th scope="col">{texts.compare.lift}</th>
              </tr>
            </thead>
            <tbody>
              {rows?.map((row) => {
                const [field, value, lift] = [
                  textIn(row, 'field_name'),
                  textIn(row, 'field_value'),
                  textIn(row, 'lift'),
                ]
                return (
                  <tr key={`${field ?? ''} ${value ?? ''}`}>
                    <th scope="row">
                      <span class="faint">{field}</span> {value}
                    </th>
                    <Share row={row} name="share" hits="hits" />
                    <Share row={row} name="share_others" hits="others" />
                    <td class="number">
                      {lift === undefined || lift === '' ? texts.compare.only : `× ${Number(lift).toFixed(2)}`}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
