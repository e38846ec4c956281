import { useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { useServices } from '../../app/services.ts'
import { historyOf } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { isDialect, type QueryLanguage } from '../../ask/requests.ts'
import { savedQueries, type SavedQuery } from './saved-queries.ts'

/** Maximum length of the name of a saved query, as on the server. */
const MAX_NAME_CHARS = 100

interface Props {
  /** Language of the history. Queries can be saved only in the log language. */
  readonly language: QueryLanguage
  /** Returns the text to save. */
  readonly text: () => string
  readonly onChoose: (query: string) => void
}

/** Saved queries of the user, and the latest queries of this browser, in the same language. */
export function QueryHistory({ language, text, onChoose }: Props): JSX.Element {
  const { ask } = useServices()
  const popover = useRef<HTMLDivElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [saved, setSaved] = useState<readonly SavedQuery[]>([])
  const [fault, setFault] = useState('')
  const hasSaved = isDialect(language)
  const latest = historyOf(language).value
  const show = async (change?: Parameters<typeof savedQueries>[1]): Promise<void> => {
    try {
      setSaved(await savedQueries(ask, change))
      setFault('')
    } catch (error) {
      setFault(failureOf(error).message)
    }
  }
  const without = (gone: string) => (before: readonly SavedQuery[]) => before.filter((each) => each.name !== gone)
  const save = async (): Promise<void> => {
    const given = name.current?.value.trim() ?? ''
    if (given === '') {
      name.current?.focus()
      return
    }
    await show((before) => [...without(given)(before), { name: given, query: text() }])
    if (name.current !== null) name.current.value = ''
  }
  const choose = (query: string): void => {
    popover.current?.hidePopover()
    onChoose(query)
  }
  return (
    <>
      <button type="button" class="button history-button" popovertarget="query-history">
        {texts.query.history}
      </button>
      <div
        id="query-history"
        class="popover"
        popover="auto"
        ref={popover}
        onToggle={({ newState }) => newState === 'open' && hasSaved && void show()}
      >
        {hasSaved && (
          <>
            <div class="save-query">
              <input
                ref={name}
                aria-label={texts.query.name}
                placeholder={texts.query.name}
                maxLength={MAX_NAME_CHARS}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // Otherwise the key would submit the surrounding form, which runs the query.
                  event.preventDefault()
                  void save()
                }}
              />
              <button type="button" class="button" onClick={() => void save()}>
                {texts.query.save}
              </button>
            </div>
            {fault !== '' && (
              <p class="fault" role="alert">
                {fault}
              </p>
            )}
            {saved.map(({ name: title, query }) => (
              <div class="saved-query" key={title}>
                <button type="button" class="item" title={query} onClick={() => choose(query)}>
                  {title}
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={texts.query.forget(title)}
                  onClick={() => void show(without(title))}
                >
                  ×
                </button>
              </div>
            ))}
          </>
        )}
        <p class="note">{latest.length === 0 ? texts.query.noHistory : texts.query.latest}</p>
        {latest.map((query) => (
          <button type="button" class="item query" key={query} onClick={() => choose(query)}>
            {query}
          </button>
        ))}
      </div>
    </>
  )
}
