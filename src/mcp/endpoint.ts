import { createMcpHandler } from '@modelcontextprotocol/server'
import type { AgentEndpoint } from '../server/index.ts'
import { defaultCeilings, type Ceilings } from './limits.ts'
import { agentServer, type Extend } from './server.ts'

/** Ceilings of calls by agents. */
export interface AgentOptions {
  /** Limits of each call. Default: 100 million rows, 256 MiB, 30 s. */
  readonly ceilings?: Partial<Ceilings> | undefined
  /** Ceilings by user name. For the keys of these users they replace the general ceilings. */
  readonly ceilingsOf?: Readonly<Record<string, Partial<Ceilings>>> | undefined
}

/** Returns the ceilings for the keys of a user. */
export function ceilingsFor({ ceilings, ceilingsOf = {} }: AgentOptions, user: string | undefined): Ceilings {
  const own = user !== undefined && Object.hasOwn(ceilingsOf, user) ? ceilingsOf[user] : undefined
  return { ...defaultCeilings, ...ceilings, ...own }
}

/**
 * Returns a Model Context Protocol endpoint over the HTTP API, for the option `mcp` of `createServer`. It answers both
 * revisions of the protocol without sessions: each request is one call.
 */
export function agentEndpoint(options: AgentOptions = {}): AgentEndpoint {
  return extendedEndpoint(options)
}

/** Returns an endpoint to which `extend` adds tools, resources or prompts, such as those of a conformance suite. */
export function extendedEndpoint(options: AgentOptions, extend?: Extend): AgentEndpoint {
  return {
    answer: async (request, { user, ask, nowNs }) => {
      const caller = { ask, nowNs, ceilings: ceilingsFor(options, user) }
      const handler = createMcpHandler(() => agentServer(caller, extend), {
        // Tools, resources and prompts never change, so there are no subscriptions and no stream outlives its request.
        maxSubscriptions: 0,
        keepAliveMs: 0,
      })
      return handler.fetch(request)
    },
  }
}
