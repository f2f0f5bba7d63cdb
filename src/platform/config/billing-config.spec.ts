import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

const KEYS = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const refusalOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('the variables of billing', () => {
  it('are optional: without them nothing is sold', () => {
    expect(readConfig({})).toMatchObject({ billing: null, billingGraceMs: 604_800_000, redirectOrigins: [] });
    expect(readConfig({ STRIPE_PRICES: 'growth=price_1' }).billing).toBeNull();
  });

  it('include both the key and the signing secret', () => {
    expect(readConfig(KEYS).billing).toEqual({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiBase: 'https://api.stripe.com',
      prices: [],
    });
    for (const [name, value] of Object.entries(KEYS))
      expect(refusalOf({ [name]: value })).toContain('or neither');
  });

  it('contain the prices in order: several for a tier, each for one tier only', () => {
    const prices = (text: string) => readConfig({ ...KEYS, STRIPE_PRICES: text }).billing?.prices;
    expect(prices('starter=price_1a, growth=price_2,starter=price_0')).toEqual([
      { tier: 'starter', price: 'price_1a' },
      { tier: 'growth', price: 'price_2' },
      { tier: 'starter', price: 'price_0' },
    ]);
    for (const text of [
      'price_1',
      'starter=',
      'starter:price_1',
      'Starter=price_1',
      'starter=a b',
      'starter=price_',
      'starter=prod_1',
      'starter=1',
      'a=price_1,b=price_1',
    ])
      expect(refusalOf({ ...KEYS, STRIPE_PRICES: text })).toMatch(
        /^STRIPE_PRICES must be tiers with their prices/,
      );
  });

  it.each([
    ['STRIPE_SECRET_KEY', ['sk_live_1', 'rk_test_1'], ['pk_test_1', 'whsec_1', 'sk_', 'sk'], 'sk_ or rk_'],
    ['STRIPE_WEBHOOK_SECRET', ['whsec_2'], ['foo', 'sk_test_1', 'we_1', 'whsec_'], 'whsec_'],
  ])('%s begins with the prefix that Stripe gives it', (name, right, wrong, prefix) => {
    for (const value of right) expect(refusalOf({ ...KEYS, [name]: value })).toBe('none');
    for (const value of wrong)
      expect(refusalOf({ ...KEYS, [name]: value })).toMatch(
        new RegExp(`^${name} must be .* that begins with ${prefix}`),
      );
  });

  it('accept an origin as STRIPE_API_BASE, also with http and a port, and nothing else', () => {
    const base = (text: string) => readConfig({ ...KEYS, STRIPE_API_BASE: text }).billing?.apiBase;
    expect(base('http://localhost:12111')).toBe('http://localhost:12111');
    expect(base('http://[::1]:12111/')).toBe('http://[::1]:12111');
    for (const text of [
      'localhost:12111',
      'https://api.stripe.com/v1',
      'ftp://a.example',
      'https://u:pass-word@a.example',
    ])
      expect(refusalOf({ ...KEYS, STRIPE_API_BASE: text })).toMatch(
        /^STRIPE_API_BASE must be a scheme(?!.*pass-word)/,
      );
  });

  it('contain origins in the form that browsers send', () => {
    const origins = (text: string) => readConfig({ REDIRECT_ORIGINS: text }).redirectOrigins;
    expect(origins('https://App.Example:443, http://localhost:5173')).toEqual([
      'https://app.example',
      'http://localhost:5173',
    ]);
    for (const text of [
      '*',
      'app.example',
      'https://app.example/path',
      'https://*.example',
      'javascript:alert(1)',
    ])
      expect(refusalOf({ REDIRECT_ORIGINS: text })).toMatch(/^REDIRECT_ORIGINS must be origins/);
  });

  it('allow a grace period of 0 to 365 days', () => {
    expect(readConfig({ BILLING_GRACE_DAYS: '0' }).billingGraceMs).toBe(0);
    expect(refusalOf({ BILLING_GRACE_DAYS: '366' })).toMatch(/^BILLING_GRACE_DAYS must be between 0 and 365/);
  });

  it('are never quoted when they are invalid', () => {
    const refusal = refusalOf({ STRIPE_SECRET_KEY: 'sk_live 51Habc', STRIPE_WEBHOOK_SECRET: 'whsec 77' });
    expect(refusal).toMatch(/^STRIPE_SECRET_KEY must/);
    expect(refusal).not.toMatch(/51Habc|whsec 77/);
  });
});
