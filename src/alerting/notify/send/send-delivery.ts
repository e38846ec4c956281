import { alertmanagerBodies, emailMessage, pagerdutyBodies, slackBody, webhookBody } from '../payloads/index.ts'
import type { Delivery, SendOutcome } from '../types.ts'
import { sendEmail } from './email.ts'
import { postJson, type PostRequest, type SendTools } from './http.ts'

/** Returns the HTTP requests of a delivery, in order. */
function requestsOf({ integration, ...delivery }: Delivery): readonly PostRequest[] {
  const whole: Delivery = { ...delivery, integration }
  const request = (url: string, body: string, i = 0): PostRequest => ({
    url,
    body,
    idempotencyKey: i === 0 ? delivery.id : `${delivery.id}-${i}`,
    credentials: 'credentials' in integration ? integration.credentials : undefined,
  })
  switch (integration.kind) {
    case 'webhook':
      return [request(integration.url.reveal(), webhookBody(whole, integration))]
    case 'alertmanager': {
      const url = `${integration.url.reveal().replace(/\/+$/, '')}/api/v2/alerts`
      return alertmanagerBodies(whole).map((body, i) => request(url, body, i))
    }
    case 'slack':
      return [request(integration.url.reveal(), slackBody(whole, integration))]
    case 'pagerduty':
      return pagerdutyBodies(whole, integration).map((body, i) => request(integration.url.reveal(), body, i))
    case 'email':
      return []
  }
}

/** Attempts a delivery once. If a request fails, later ones are not sent. Never rejects. */
export async function sendDelivery(delivery: Delivery, tools: SendTools): Promise<SendOutcome> {
  const { integration } = delivery
  if (integration.kind === 'email') return sendEmail(integration, emailMessage(delivery, integration), tools)
  for (const request of requestsOf(delivery)) {
    const outcome = await postJson(request, tools)
    if (outcome.kind !== 'success') return outcome
  }
  return { kind: 'success' }
}
