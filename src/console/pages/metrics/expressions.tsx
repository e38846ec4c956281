import type { JSX } from 'preact'
import { texts } from '../../app/texts.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { QueryEditor } from '../../widgets/query-editor.tsx'
import { useDraft } from '../../widgets/use-draft.ts'

/** Names of the expressions in the URL. */
export const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
export type Letter = (typeof LETTERS)[number]

interface Props {
  readonly letter: Letter
  /** The expression in the URL. */
  readonly linked: string
  readonly language: EditorLanguage
  readonly onChange: (text: string) => void
  readonly onFocus: () => void
  readonly onRun: () => void
  /** Removes the expression; `undefined` for the only expression, which cannot be removed. */
  readonly onRemove: (() => void) | undefined
}

/** The editor of one expression. */
export function Expression(props: Props): JSX.Element {
  const { letter, linked, language, onChange, onFocus, onRun, onRemove } = props
  const draft = useDraft(linked)
  const name = texts.metrics.expression(letter.toUpperCase())
  return (
    <div class="expression" onFocusCapture={onFocus}>
      <span class="letter" aria-hidden="true">
        {letter.toUpperCase()}
      </span>
      <QueryEditor
        value={draft.value}
        table="samples"
        dialect="native"
        label={name}
        placeholder={texts.metrics.placeholder}
        language={language}
        onChange={(text) => (draft.onChange(text), onChange(text))}
        onRun={onRun}
      />
      {onRemove !== undefined && (
        <button type="button" class="quiet" aria-label={texts.metrics.remove(name)} onClick={onRemove}>
          ×
        </button>
      )}
    </div>
  )
}
