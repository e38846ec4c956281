/** Returns the trimmed text of a form field. */
export function formText(form: EventTarget | null, name: string): string {
  const value = form instanceof HTMLFormElement ? new FormData(form).get(name) : null
  return typeof value === 'string' ? value.trim() : ''
}
