/** A module that the program which starts a server names to its threads; no request does. Here alone is a text made into code. */
export async function namedModule<Exports>(url: string): Promise<Exports> {
  return (await import(url)) as Exports
}
