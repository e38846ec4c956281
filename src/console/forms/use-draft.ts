import { useCallback, useEffect, useState } from 'preact/hooks'
import type { PlainJson } from '../../data/index.ts'
import { hashOf, holdView, view, type View } from '../app/location.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { isObject, isSame, stringOf, type FormState, type JsonObject } from './model.ts'

/** A definition while it is edited. */
export interface Draft {
  readonly form: FormState
  /** The definition as it was when the editing began. */
  readonly base: JsonObject
  /** Entity tag of `base`; empty for a new definition. */
  readonly tag: string
  /** The whole definition as typed in a text view, until it can be read. */
  readonly source: string
}

export function draftOf(base: JsonObject, tag: string): Draft {
  return { form: { value: base, texts: {} }, base, tag, source: '' }
}

export function isChanged({ form, base, source }: Draft): boolean {
  return source !== '' || Object.keys(form.texts).length > 0 || !isSame(form.value, base)
}

function draftOfJson(stored: PlainJson | undefined): Draft | undefined {
  if (!isObject(stored) || !isObject(stored['form']) || !isObject(stored['form']['value'])) return undefined
  return stored as unknown as Draft
}

export interface Drafting {
  readonly draft: Draft
  readonly isChanged: boolean
  /** Whether the draft is from before: the page was left, reloaded or signed out. */
  readonly isRestored: boolean
  readonly change: (draft: Draft) => void
  /** Forgets what was typed and begins again. */
  readonly begin: (draft: Draft) => void
}

/** A draft that outlives the page; see `drafts.ts`. */
export function useDraft(name: string, create: () => Draft): Drafting {
  const [{ draft, isRestored }, setState] = useState(() => {
    const stored = draftOfJson(readDraft(name))
    return { draft: stored ?? create(), isRestored: stored !== undefined && isChanged(stored) }
  })
  const change = useCallback(
    (next: Draft): void => {
      keepDraft(name, isChanged(next) ? (next as unknown as PlainJson) : undefined)
      setState((before) => ({ draft: next, isRestored: before.isRestored && isChanged(next) }))
    },
    [name],
  )
  const begin = useCallback(
    (next: Draft): void => {
      keepDraft(name, undefined)
      setState({ draft: next, isRestored: false })
    },
    [name],
  )
  return { draft, isChanged: isChanged(draft), isRestored, change, begin }
}

/** Returns a version of the user's that was put aside as text, until it is set to the empty text. */
export function useKeptText(name: string): readonly [text: string, set: (text: string) => void] {
  const key = `${name}:kept`
  const [text, setText] = useState(() => stringOf(readDraft(key)))
  return [
    text,
    (next) => {
      keepDraft(key, next === '' ? undefined : next)
      setText(next)
    },
  ]
}

/** Where a link leads that would leave unsaved changes, and how to go on. */
export interface Leaving {
  readonly next: View | undefined
  readonly stay: () => void
  /** Lets the view go, once; call it before `goTo`. */
  readonly release: () => void
}

/** Holds the view while there are unsaved changes: other views, a reload and closing the tab ask first. */
export function useLeaving(isHeld: boolean, isOwn: (next: View) => boolean): Leaving {
  const [next, setNext] = useState<View>()
  const [hold] = useState<{ release: () => void }>({ release: () => undefined })
  useEffect(() => {
    if (!isHeld) return undefined
    hold.release = holdView((wanted) => {
      const isHere = hashOf(wanted) === hashOf(view.peek()) || isOwn(wanted)
      if (!isHere) setNext(wanted)
      return isHere
    })
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      hold.release()
      removeEventListener('beforeunload', ask)
    }
  }, [isHeld])
  return { next, stay: () => setNext(undefined), release: () => hold.release() }
}
