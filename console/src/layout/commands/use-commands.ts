import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, data } from '../../api/client';
import { BASE } from '../../api/connection';
import { useIsLive, useMe } from '../../api/queries';
import { signOut, switchTo, useOtherKey, useOtherTeams } from '../../api/session';
import { useSearched } from '../../pages/lists/use-searched';
import { draft, toAsk } from '../../pages/verify/draft';
import { commandsEn } from '../../texts/commands.en';
import { setLanguage, useLanguage, useTexts } from '../../texts/texts';
import { setTheme, useTheme } from '../../theme';
import { LANGUAGES, THEMES } from '../app-menu';
import { PAGES, useIsShown } from '../nav';

export interface Command {
  id: string;
  name: string;
  lang?: string;
  act: () => void;
  /** The menu stays, because its place is taken by a dialog. */
  isKept?: boolean;
}
interface Group {
  label: string;
  commands: readonly Command[];
}

const MAX_LISTS = 5;
const MAX_WEBHOOKS = 100;

/**
 * What the text finds: each of its words is in the name. The service searches the lists.
 *
 * @param askMode called when the session has no key of the other mode.
 */
export function useCommands(typed: string, askMode: () => void): readonly Group[] {
  const t = useTexts(commandsEn);
  const pages = usePages();
  const actions = useActions(askMode);
  const lists = useLists(typed);
  const webhooks = useWebhooks();
  const verify = useVerify();
  const address = typed.trim();
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const found = (commands: readonly Command[]) =>
    commands.filter(({ name }) => words.every((word) => folded(name).includes(word)));
  return [
    { label: t.commands.address, commands: address.includes('@') ? [verify(address)] : [] },
    { label: t.commands.pages, commands: found(pages) },
    { label: t.nav.lists, commands: lists },
    // Without a text they would fill the menu.
    { label: t.nav.webhooks, commands: words.length === 0 ? [] : found(webhooks) },
    { label: t.commands.actions, commands: found(actions) },
  ].filter(({ commands }) => commands.length > 0);
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

function usePages(): Command[] {
  const t = useTexts();
  const navigate = useNavigate();
  const isShown = useIsShown();
  return PAGES.filter(isShown).map(({ to, name }) => ({
    id: `page-${name}`,
    name: t.nav[name],
    act: () => void navigate({ to }),
  }));
}

function useVerify(): (address: string) => Command {
  const t = useTexts(commandsEn);
  const navigate = useNavigate();
  return (address) => ({
    id: 'verify-this',
    name: t.commands.verifyThis(address),
    act: () => {
      toAsk.set(address);
      void navigate({ to: '/' });
    },
  });
}

/** The newest, or those whose names contain the text. */
function useLists(typed: string): Command[] {
  const t = useTexts();
  const navigate = useNavigate();
  const q = useSearched(typed);
  const query = { limit: MAX_LISTS, ...(q !== undefined && { q }) };
  const lists = useQuery({
    queryKey: ['jobs', 'commands', query],
    queryFn: ({ signal }) => data(api.GET('/v1/bulk-jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (lists.data?.data ?? []).map(({ id, name }) => ({
    id,
    name: name ?? t.lists.untitled,
    act: () => void navigate({ to: '/lists/$id', params: { id } }),
  }));
}

function useWebhooks(): Command[] {
  const navigate = useNavigate();
  const webhooks = useQuery({
    queryKey: ['webhooks', 'commands'],
    queryFn: () => data(api.GET('/v1/webhooks', { params: { query: { limit: MAX_WEBHOOKS } } })),
  });
  return (webhooks.data?.data ?? []).map(({ id, url, description }) => ({
    id,
    name: description === null ? url : `${description} (${url})`,
    act: () => void navigate({ to: '/webhooks/$id', params: { id } }),
  }));
}

function useActions(askMode: () => void): Command[] {
  const t = useTexts(commandsEn);
  const navigate = useNavigate();
  const me = useMe();
  const isLive = useIsLive();
  const otherKey = useOtherKey();
  const theme = useTheme();
  const language = useLanguage();
  const hasOtherTeams = useOtherTeams(me?.team.id).length > 0;
  const verify: Command = {
    id: 'verify',
    name: t.commands.verify,
    act: () => {
      draft.set(null);
      void navigate({ to: '/' }).then(() => document.getElementById('address')?.focus());
    },
  };
  const list = { id: 'new-list', name: t.commands.newList, act: () => void navigate({ to: '/lists' }) };
  const key = {
    id: 'new-key',
    name: t.commands.newKey,
    act: () => void navigate({ to: '/keys', search: { new: 'secret' } }),
  };
  const mode: Command = {
    id: 'mode',
    name: isLive ? t.commands.toTest : t.commands.toLive,
    isKept: otherKey === null,
    act: () => (otherKey === null ? askMode() : switchTo(otherKey)),
  };
  const themes = THEMES.filter((value) => value !== theme).map((value) => ({
    id: `theme-${value}`,
    name: `${t.menu.theme}: ${t.menu[value]}`,
    act: () => setTheme(value),
  }));
  const languages = Object.entries(LANGUAGES)
    .filter(([value]) => value !== language)
    .map(([value, name]) => ({
      id: `language-${value}`,
      name: `${t.menu.language}: ${name}`,
      act: () => void setLanguage(value as keyof typeof LANGUAGES).catch(() => undefined),
    }));
  const docs = {
    id: 'docs',
    name: t.menu.docs,
    act: () => void window.open(`${BASE}docs`, '_blank', 'noreferrer'),
  };
  const out = {
    id: 'sign-out',
    name: hasOtherTeams ? t.menu.signOutAll : t.menu.signOut,
    act: signOut,
  };
  const mayCreateKey = isLive && me !== null && me.user !== null;
  return [verify, list, ...(mayCreateKey ? [key] : []), mode, ...themes, ...languages, docs, out];
}
