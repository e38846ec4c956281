const bodies = new WeakMap<Response, string | Uint8Array>()

/** An answer of which it stays known what it is made of: reading it back from the response would take longer than writing it did. */
export function wholeResponse(
  body: string | Uint8Array<ArrayBuffer>,
  init: { readonly status?: number; readonly headers: Readonly<Record<string, string>> },
): Response {
  const response = new Response(body, init)
  bodies.set(response, body)
  return response
}

/** All bytes of an answer. */
export async function bytesOfResponse(response: Response): Promise<Uint8Array> {
  const known = bodies.get(response)
  if (known === undefined) return new Uint8Array(await response.arrayBuffer())
  return typeof known === 'string' ? Buffer.from(known) : known
}
