import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, data } from '../../api/client';
import { BASE } from '../../api/connection';
import { useIsLive, useMay, useMe } from '../../api/queries';
import { signOut, switchTo, useOtherKey, useOtherTeams } from '../../api/session';
import { useSearched } from '../../pages/lists/use-searched';
import { schedulesQuery, useMaySchedule } from '../../pages/schedules/schedules';
import { draft, toAsk } from '../../pages/verify/draft';
import { commandsEn } from '../../texts/commands.en';
import { listsEn } from '../../texts/lists/lists.en';
import { setLanguage, useLanguage, useTexts } from '../../texts/texts';
import { setTheme, useTheme } from '../../theme';
import { LANGUAGES, THEMES } from '../app-menu';
import { PAGES, useIsShown } from '../nav';

export interface Command {
  id: string;
  name: string;
  lang?: string;
  /** Other words that find it. */
  also?: string;
  act: () => void;
  /** The menu stays, because its place is taken by a dialog. */
  isKept?: boolean;
}
interface Group {
  label: string;
  commands: readonly Command[];
}

const TEXTS = { ...commandsEn, ...listsEn };
const MAX_LISTS = 5;
const MAX_WEBHOOKS = 100;
const MAX_KEYS = 100;

/**
 * What the text finds: each of its words is in the name. The service searches the lists.
 *
 * @param askMode called when the session has no key of the other mode.
 */
export function useCommands(typed: string, askMode: () => void): readonly Group[] {
  const t = useTexts(TEXTS);
  const pages = usePages();
  const actions = useActions(askMode);
  const lists = useLists(typed);
  const webhooks = useWebhooks();
  const schedules = useSchedules();
  const keys = useKeys();
  const verify = useVerify();
  const address = typed.trim();
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const found = (commands: readonly Command[]) =>
    commands.filter(({ name, also = '' }) => {
      const text = folded(`${name} ${also}`);
      return words.every((word) => text.includes(word));
    });
  const ofLists = { label: t.nav.lists, commands: lists };
  const ofActions = { label: t.commands.actions, commands: found(actions) };
  const ofPages = { label: t.commands.pages, commands: found(pages) };
  // The pages stand beside the menu.
  if (words.length === 0) return [ofLists, ofActions, ofPages].filter(({ commands }) => commands.length > 0);
  return [
    { label: t.commands.address, commands: address.includes('@') ? [verify(address)] : [] },
    ofPages,
    ofLists,
    { label: t.nav.schedules, commands: found(schedules) },
    { label: t.nav.webhooks, commands: found(webhooks) },
    { label: t.nav.keys, commands: found(keys) },
    ofActions,
  ].filter(({ commands }) => commands.length > 0);
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

function usePages(): Command[] {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const isShown = useIsShown();
  return PAGES.filter(isShown).map(({ to, name }) => ({
    id: `page-${name}`,
    name: t.nav[name],
    also: t.commands.also[name],
    act: () => void navigate({ to }),
  }));
}

function useVerify(): (address: string) => Command {
  const t = useTexts(TEXTS);
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
  const t = useTexts(TEXTS);
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

function useSchedules(): Command[] {
  const navigate = useNavigate();
  const { mayRun } = useMaySchedule();
  const schedules = useQuery({ ...schedulesQuery, enabled: mayRun });
  return (schedules.data?.data ?? []).map(({ id, name }) => ({
    id,
    name,
    act: () => void navigate({ to: '/schedules/$id', params: { id } }),
  }));
}

function useKeys(): Command[] {
  const navigate = useNavigate();
  const keys = useQuery({
    queryKey: ['keys', 'commands'],
    queryFn: () => data(api.GET('/v1/keys', { params: { query: { limit: MAX_KEYS } } })),
  });
  return (keys.data?.data ?? []).map(({ id, name, last4 }) => ({
    id,
    name: `${name} (…${last4})`,
    act: () => void navigate({ to: '/keys' }),
  }));
}

function useActions(askMode: () => void): Command[] {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const me = useMe();
  const isLive = useIsLive();
  const isAdmin = useMay('admin');
  const { mayRun } = useMaySchedule();
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
  const opens = (id: string, name: string, to: '/policy' | '/schedules' | '/webhooks' | '/outcomes') => ({
    id,
    name,
    act: () => void navigate({ to, search: { new: true } }),
  });
  const invite = {
    id: 'invite',
    name: t.commands.invite,
    act: () => void navigate({ to: '/team', search: { tab: 'members', new: true } }),
  };
  const block = {
    id: 'block',
    name: t.commands.block,
    act: () => void navigate({ to: '/team', search: { tab: 'blocklist' } }),
  };
  const made = [
    ...(mayCreateKey ? [key] : []),
    ...(mayCreateKey && isAdmin ? [invite] : []),
    ...(isAdmin && isLive ? [opens('new-rule', t.commands.newRule, '/policy')] : []),
    ...(mayRun ? [opens('new-schedule', t.commands.newSchedule, '/schedules')] : []),
    opens('new-webhook', t.commands.newWebhook, '/webhooks'),
    ...(isLive ? [opens('new-source', t.commands.newSource, '/outcomes'), block] : []),
  ];
  return [verify, list, ...made, mode, ...themes, ...languages, docs, out];
}
