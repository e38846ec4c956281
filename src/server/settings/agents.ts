/** Who sends a request to `/mcp`: its key is known. */
export interface AgentCaller {
  /** Name of the user of the key. */
  readonly user: string | undefined
  /** Answers a request of the HTTP API with that key. */
  readonly ask: (path: string, init: AgentRequest) => Promise<Response>
  readonly nowNs: () => bigint
}

/** A request of the HTTP API, without the headers that name its sender. */
export interface AgentRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Answers the requests of agents at `/mcp`; `agentEndpoint` of `sluice/mcp` makes one. */
export interface AgentEndpoint {
  answer(request: Request, caller: AgentCaller): Promise<Response>
}

/** Loads the endpoint when the first request asks for it. */
export type LoadAgentEndpoint = () => Promise<AgentEndpoint>
