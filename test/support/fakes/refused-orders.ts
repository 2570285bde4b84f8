// Refused orders in memory, as prisma/functions/refuse_order.sql keeps them.
import type { OrderRefusal, RefusedOrder } from '../../../store/payments/insertion.js';

export class FakeRefusedOrders {
  private readonly orders = new Map<string, OrderRefusal>();

  has(id: string): boolean {
    return this.orders.has(id);
  }

  refuse(refusal: OrderRefusal, isPaymentStored: boolean): RefusedOrder {
    if (isPaymentStored) return { kind: 'payment_exists' };
    const stored = this.orders.get(refusal.id) ?? refusal;
    if (stored.code === null) throw new Error(`${refusal.id} was not refused before`);
    this.orders.set(refusal.id, stored);
    const isCopy = stored.orderProof === refusal.orderProof && stored.runId !== refusal.runId;
    return isCopy ? { kind: 'copied' } : { kind: 'refused', code: stored.code };
  }
}
