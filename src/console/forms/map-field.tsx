import type { JSX } from 'preact'
import { texts } from '../app/texts.ts'
import { pairsOf, textOfPairs } from './model.ts'
import type { InputProps } from './input.ts'

/** Minimum width of the text input, characters. */
const LINE_CHARS = 60

/** Edits a map as rows of name and text. A new empty row appears once the last row has text. */
export function MapField({ id, text, label, isReadOnly, describedBy, isFaulty, onText }: InputProps): JSX.Element {
  const pairs = pairsOf(text)
  const last = pairs.at(-1)
  const isOpenEnded = !isReadOnly && (last === undefined || last[0] !== '' || last[1] !== '')
  const shown = isOpenEnded ? [...pairs, ['', ''] as const] : pairs
  const change = (index: number, name: string, value: string): void =>
    onText(textOfPairs(shown.map((pair, i) => (i === index ? [name, value] : pair))))
  return (
    <div class="map-field" role="group" aria-label={label} aria-describedby={describedBy}>
      {shown.map(([name, value], i) => (
        <div class="map-row" key={i}>
          <input
            {...(i === 0 ? { id } : {})}
            aria-label={texts.edit.nameOf(label, i + 1)}
            aria-invalid={isFaulty}
            disabled={isReadOnly}
            autocomplete="off"
            spellcheck={false}
            placeholder={texts.edit.name}
            value={name}
            onInput={(event) => change(i, event.currentTarget.value, value)}
          />
          <textarea
            aria-label={texts.edit.textOf(label, i + 1)}
            disabled={isReadOnly}
            rows={Math.min(8, value.split('\n').length + Math.floor(value.length / LINE_CHARS))}
            spellcheck={false}
            placeholder={texts.edit.text}
            value={value}
            onInput={(event) => change(i, name, event.currentTarget.value)}
          />
          {!isReadOnly && i < pairs.length && (
            <button
              type="button"
              class="quiet"
              aria-label={texts.edit.remove(name === '' ? texts.edit.line(i + 1) : name)}
              onClick={() => onText(textOfPairs(pairs.filter((_, at) => at !== i)))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
