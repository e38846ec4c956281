import { useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { formText } from '../app/form-text.ts'
import { texts } from '../app/texts.ts'
import { OFFERED_RANGES, rangeOfWords, timeOfWord } from '../app/time-words.ts'
import { inputTime, shortRange, shortTime } from '../app/times.ts'
import { zone } from '../app/settings.ts'

interface Props {
  readonly from: string
  readonly to: string
  readonly onChange: (from: string, to: string) => void
}

/** Returns the label of a range for the button. */
export function rangeWords(from: string, to: string): string {
  const offered = to === 'now' ? OFFERED_RANGES.find((range) => range.from === from) : undefined
  if (offered !== undefined) return texts.time.last(offered.words)
  const msOf = (word: string): number | undefined =>
    /now|^-/.test(word) ? undefined : timeOfWord(word, Date.now(), zone.value === 'utc')
  const [fromMs, toMs] = [msOf(from), msOf(to)]
  if (fromMs !== undefined && toMs !== undefined) return shortRange(fromMs, toMs)
  return `${fromMs === undefined ? from : shortTime(fromMs)} → ${toMs === undefined ? to : shortTime(toMs)}`
}

/** Selects a time range from suggestions, or by two typed times. */
export function TimePicker({ from, to, onChange }: Props): JSX.Element {
  const popover = useRef<HTMLDivElement>(null)
  const [fault, setFault] = useState('')
  const choose = (nextFrom: string, nextTo: string): void => {
    popover.current?.hidePopover()
    onChange(nextFrom, nextTo)
  }
  const apply = (event: SubmitEvent): void => {
    event.preventDefault()
    const [nextFrom, nextTo] = [formText(event.currentTarget, 'from'), formText(event.currentTarget, 'to')]
    const isUtc = zone.value === 'utc'
    const bad = [nextFrom, nextTo].find((word) => timeOfWord(word, Date.now(), isUtc) === undefined)
    const isGood = bad === undefined && rangeOfWords(nextFrom, nextTo, Date.now(), isUtc) !== undefined
    setFault(bad !== undefined ? texts.time.bad(bad) : isGood ? '' : texts.time.backwards)
    if (isGood) choose(nextFrom, nextTo)
  }
  const shown = (word: string): string => {
    const ms = timeOfWord(word, Date.now(), zone.value === 'utc')
    return ms === undefined || /now|^-/.test(word) ? word : inputTime(ms)
  }
  return (
    <div class="time-picker">
      <button
        type="button"
        class="button"
        popovertarget="time-picker"
        aria-label={`${texts.time.label}: ${rangeWords(from, to)}`}
      >
        <span class="icon" aria-hidden="true">
          ◷
        </span>
        {rangeWords(from, to)}
      </button>
      <div id="time-picker" class="popover" popover="auto" ref={popover}>
        <div class="offered">
          {OFFERED_RANGES.map((range) => (
            <button
              type="button"
              class="item"
              key={range.from}
              aria-pressed={range.from === from && to === 'now'}
              onClick={() => choose(range.from, 'now')}
            >
              {texts.time.last(range.words)}
            </button>
          ))}
        </div>
        <form class="exact" onSubmit={apply} key={`${from} ${to}`}>
          <label>
            {texts.time.from}
            <input name="from" defaultValue={shown(from)} autocomplete="off" spellcheck={false} />
          </label>
          <label>
            {texts.time.to}
            <input name="to" defaultValue={shown(to)} autocomplete="off" spellcheck={false} />
          </label>
          <p class="fault" role="alert">
            {fault}
          </p>
          <label>
            {texts.time.zone}
            <select
              value={zone.value}
              onChange={(event) => (zone.value = event.currentTarget.value === 'utc' ? 'utc' : 'local')}
            >
              <option value="local">
                {texts.time.local} ({Intl.DateTimeFormat().resolvedOptions().timeZone})
              </option>
              <option value="utc">{texts.time.utc}</option>
            </select>
          </label>
          <button class="button primary">{texts.time.apply}</button>
        </form>
      </div>
    </div>
  )
}
