import { createMcpHandler } from '@modelcontextprotocol/server'
import type { AgentEndpoint } from '../server/index.ts'
import { defaultCeilings, type Ceilings } from './limits.ts'
import { agentServer, type Extend } from './server.ts'

/** The ceilings of calls by agents. */
export interface AgentOptions {
  /** The most that one call of any key may read. Default: 100 million rows, 256 MiB, 30 s. */
  readonly ceilings?: Partial<Ceilings> | undefined
  /** Other ceilings of the keys of a user, by the user's name. */
  readonly ceilingsOf?: Readonly<Record<string, Partial<Ceilings>>> | undefined
}

/** Ceilings of the keys of a user. */
export function ceilingsFor({ ceilings, ceilingsOf = {} }: AgentOptions, user: string | undefined): Ceilings {
  const own = user !== undefined && Object.hasOwn(ceilingsOf, user) ? ceilingsOf[user] : undefined
  return { ...defaultCeilings, ...ceilings, ...own }
}

/**
 * The Model Context Protocol over the HTTP API, for the option `mcp` of `createServer`. Both revisions of the protocol
 * are answered without a session; a request is one call.
 */
export function agentEndpoint(options: AgentOptions = {}): AgentEndpoint {
  return extendedEndpoint(options)
}

/** An endpoint to which `extend` adds tools, resources or prompts, such as those that a suite of tests asks for. */
export function extendedEndpoint(options: AgentOptions, extend?: Extend): AgentEndpoint {
  return {
    answer: async (request, { user, ask, nowNs }) => {
      const caller = { ask, nowNs, ceilings: ceilingsFor(options, user) }
      const handler = createMcpHandler(() => agentServer(caller, extend), {
        // Nothing changes that a client could subscribe to, and no stream outlives its request.
        maxSubscriptions: 0,
        keepAliveMs: 0,
      })
      return handler.fetch(request)
    },
  }
}
