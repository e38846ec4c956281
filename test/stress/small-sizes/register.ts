/** `node --import ./test/stress/small-sizes/register.ts …`: what is loaded from here on, in worker threads too, has small sizes. */
import { registerHooks } from 'node:module'
import { withSmallSizes } from './small.ts'

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const { source } = loaded
    if (source === undefined || source === null) return loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    return { ...loaded, source: withSmallSizes(url, text) }
  },
})
