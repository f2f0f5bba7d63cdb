import { api, data } from '../api/client';
import { Button } from './ui';
import { useApiMutation } from './use-api-mutation';

/** Leads to the checkout of a tier, or to the portal of a team that has a subscription. */
export function useUpgrade() {
  return useApiMutation(async (tier: string) => {
    const { url } = await data(api.POST('/v1/billing/subscribe', { body: { tier } }));
    // Only a page of the billing provider: nothing that runs here.
    if (url.startsWith('https://')) location.assign(url);
  }, []);
}

export function UpgradeButton({
  tier,
  label,
  upgrade,
  ...rest
}: {
  tier: string;
  label: string;
  upgrade: ReturnType<typeof useUpgrade>;
  variant?: 'primary';
}) {
  return (
    <Button small disabled={upgrade.isPending} onClick={() => upgrade.mutate(tier)} {...rest}>
      {label}
    </Button>
  );
}
