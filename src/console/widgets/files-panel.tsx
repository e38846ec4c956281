import { sizeText } from '../../base/index.ts'
import { useEffect, useState } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'
import { fileNames, loadState, openFiles, stopReading } from '../app/files.ts'
import { count } from '../app/numbers.ts'
import { useServices } from '../app/services.ts'
import { texts } from '../app/texts.ts'

function OpenButton({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const { ask } = useServices()
  return (
    <label class="button primary file-button">
      {children}
      <input
        type="file"
        multiple
        class="covered"
        onChange={(event) => void openFiles(ask, [...(event.currentTarget.files ?? [])])}
      />
    </label>
  )
}

/** Opens files that are dropped anywhere on the page. */
function useDrop(): boolean {
  const { ask } = useServices()
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault()
      setIsOver(event.type === 'dragover')
    }
    const drop = (event: DragEvent): void => {
      event.preventDefault()
      setIsOver(false)
      void openFiles(ask, [...(event.dataTransfer?.files ?? [])])
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', over)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', over)
      document.removeEventListener('drop', drop)
    }
  }, [ask])
  return isOver
}

/** The opened files: progress, unreadable parts, and buttons to open more. */
export function FilesPanel(): JSX.Element {
  const state = loadState.value
  const isOver = useDrop()
  if (state === undefined)
    return (
      <section class={`drop-zone${isOver ? ' over' : ''}`}>
        <p class="big">{texts.files.drop}</p>
        <OpenButton>{texts.files.open}</OpenButton>
        <p class="note">{texts.files.hint}</p>
      </section>
    )
  const names = fileNames.value
  return (
    <div class={`files-bar${isOver ? ' over' : ''}`}>
      <span class="names" title={names.join('\n')}>
        {names.length === 1 ? names[0] : texts.files.several(names.length)}
      </span>
      {state.isDone ? (
        <span class="note">
          {sizeText(state.totalBytes)} · {texts.files.rows(count(state.rows))}
        </span>
      ) : (
        <>
          <progress max={state.totalBytes} value={state.bytes} aria-label={texts.files.open} />
          <span class="note">{texts.files.reading(sizeText(state.bytes), sizeText(state.totalBytes))}</span>
          <button type="button" class="button" onClick={stopReading}>
            {texts.files.cancel}
          </button>
        </>
      )}
      {state.notices.map((notice) => (
        <span class="fault" key={notice} role="alert">
          {notice}
        </span>
      ))}
      <OpenButton>{texts.files.more}</OpenButton>
    </div>
  )
}
