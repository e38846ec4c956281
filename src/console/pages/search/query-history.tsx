import { useRef } from 'preact/hooks'
import type { JSX } from 'preact'
import { history } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'

/** The latest queries of this browser. */
export function QueryHistory({ onChoose }: { readonly onChoose: (query: string) => void }): JSX.Element {
  const popover = useRef<HTMLDivElement>(null)
  return (
    <>
      <button type="button" class="button history-button" popovertarget="query-history">
        {texts.query.history}
      </button>
      <div id="query-history" class="popover" popover="auto" ref={popover}>
        {history.value.length === 0 && <p class="note">{texts.query.noHistory}</p>}
        {history.value.map((query) => (
          <button
            type="button"
            class="item query"
            key={query}
            onClick={() => {
              popover.current?.hidePopover()
              onChoose(query)
            }}
          >
            {query}
          </button>
        ))}
      </div>
    </>
  )
}
