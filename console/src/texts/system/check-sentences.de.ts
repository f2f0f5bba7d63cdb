/** By the codes of the API. A spec of the doctor compares them with its English sentences, so that this imports nothing. */
const FOUND = {
  check_failed: 'Die Prüfung selbst ist fehlgeschlagen: {reason}',
  offline: 'Diese Maschine hat keinen Weg ins Internet.',
  offline_wanted: 'Ohne Netz geprüft, wegen --offline.',
  no_name_server: 'Kein Nameserver antwortet.',
  smtp_disabled: 'SMTP_ENABLED ist false: Kein Mailserver wird gefragt.',

  no_route: 'Diese Maschine hat keinen Weg ins Internet.',
  leaves_directly: 'Verbindungen gehen direkt hinaus, von {addresses}.',
  address_of_machine: '{address} ist eine Adresse dieser Maschine.',
  address_not_of_machine: '{address} ist keine Adresse dieser Maschine.',
  proxy_works: 'Der Proxy beherrscht SOCKS5 und nimmt die Verbindung an.',
  proxy_fails: 'Der Proxy kann nicht benutzt werden: {reason}',

  no_server_to_dial: 'Es gibt keinen Mailserver, der angewählt werden kann: {servers}',
  source_address_fails: 'Die Absenderadresse der Verbindungen funktioniert nicht: {servers}',
  proxy_does_not_work: 'Der Proxy funktioniert nicht: {servers}',
  another_server_answers: 'Ein anderer Server antwortet anstelle von {servers}.',
  none_reached: 'Keiner der Mailserver ist erreichbar: {servers}',
  none_reached_from_address: 'Keiner der Mailserver ist von dieser Adresse aus erreichbar: {servers}',
  none_reached_through_proxy: 'Keiner der Mailserver ist durch den Proxy erreichbar: {servers}',
  refused: 'Abgelehnt von {servers}.',
  some_not_reached: 'Nicht erreichbar: {servers}',
  servers_greet: '{servers} begrüßen uns.',
  servers_greet_through_proxy: '{servers} begrüßen uns durch den Proxy.',

  no_server_greets: 'Kein Mailserver begrüßt uns.',
  no_starttls: '{server} bietet uns kein STARTTLS an.',
  starttls_refused: '{server} lehnt STARTTLS zurzeit ab: {reply}',
  session_encrypted: 'Die Verbindung mit {server} ist verschlüsselt.',
  handshake_fails: 'Die TLS-Aushandlung mit {server} schlägt fehl: {reason}',
  egress_fails: 'Der Ausgang funktioniert nicht.',

  public_address_unknown: 'Die öffentliche Adresse lässt sich von hier aus nicht bestimmen.',
  behind_proxy:
    'Die öffentliche Adresse lässt sich von hier aus nicht bestimmen: Mailserver sehen den Proxy.',
  behind_gateway:
    'Die öffentliche Adresse lässt sich von hier aus nicht bestimmen: Diese Maschine sendet von {address}, einer Adresse, die nicht öffentlich ist.',
  name_is_literal: '{name} ist eine Adresse.',
  name_not_public: '{name} ist kein öffentlicher Hostname.',
  name_not_looked_up: '{name} konnte nicht nachgeschlagen werden ({error}).',
  name_without_address: '{name} hat keine Adresse.',
  name_resolves: '{name} führt zu {address}.',
  name_resolves_elsewhere: '{name} führt zu {addresses} und nicht zu {address}.',

  reverse_not_looked_up: 'Der Rückwärtsname von {address} konnte nicht nachgeschlagen werden ({error}).',
  reverse_missing: '{address} hat keinen Rückwärtsnamen.',
  reverse_name_not_looked_up:
    '{name}, der Rückwärtsname von {address}, konnte nicht nachgeschlagen werden ({error}).',
  reverse_not_back: 'Der Rückwärtsname von {address} ist {name}, und dieser führt nicht zurück.',
  reverse_is_other: 'Der Rückwärtsname von {address} ist {name}, der Name in EHLO ist {ehlo}.',
  reverse_matches: 'Der Rückwärtsname von {address} ist {name}, und dieser führt zurück.',

  domain_accepts: '{domain} nimmt Mail an, bei {host}.',
  domain_null_mx: '{domain} erklärt, dass sie keine Mail annimmt (RFC 7505).',
  domain_without_mx: '{domain} hat eine Adresse und keinen MX-Eintrag.',
  domain_without_mail: '{domain} nimmt keine Mail an: Sie hat weder einen MX-Eintrag noch eine Adresse.',

  spf_pass: '{domain} lässt {address} senden.',
  spf_fail: 'Der SPF-Eintrag von {domain} erlaubt {address} nicht (fail).',
  spf_softfail: 'Der SPF-Eintrag von {domain} erlaubt {address} nicht (softfail).',
  spf_neutral: 'Der SPF-Eintrag von {domain} sagt nichts über {address} (neutral).',
  spf_missing: '{domain} hat keinen SPF-Eintrag.',
  spf_unreadable: 'Der SPF-Eintrag von {domain} ist nicht lesbar.',
  spf_not_looked_up: 'Der SPF-Eintrag von {domain} konnte nicht nachgeschlagen werden.',
  spf_depends: 'Der SPF-Eintrag von {domain} hat Bestandteile, die von der Nachricht abhängen.',

  not_listed: '{subject} steht nicht auf {list}.',
  listed: '{subject} steht auf {list} ({codes}).',
  list_refuses_resolver:
    '{list} kann mit diesem Nameserver nicht gefragt werden: Die Liste lehnt ihn ab ({codes}).',
  list_silent: '{list} hat nicht geantwortet ({error}).',
  list_without_test: '{list} kann mit diesem Nameserver nicht gefragt werden: Ihr Testeintrag fehlt.',
  list_lists_all: '{list} ist nicht brauchbar: Sie antwortet, als stünde jeder Name darauf.',
};

const REMEDIES = {
  report: 'Bitte melden Sie das.',
  connect_machine: 'Verbinden Sie sie, oder setzen Sie SMTP_EGRESS auf einen Proxy.',
  add_address:
    'Geben Sie sie einer Netzwerkschnittstelle dieser Maschine (in einem Container: des Containers), oder berichtigen Sie SMTP_EGRESS.',
  correct_proxy:
    'Starten Sie den Proxy, oder berichtigen Sie Adresse, Benutzer und Passwort in SMTP_EGRESS oder SMTP_PROXY_URL.',
  see_resolver: 'Die Prüfung des Nameservers sagt, warum.',
  see_egress: 'Die Prüfung des Ausgangs sagt, warum; berichtigen Sie dann SMTP_EGRESS oder SMTP_PROXY_URL.',
  see_port_25: 'Die Prüfung von Port 25 sagt, warum.',
  end_redirection:
    'Ihr Netz leitet Port 25 zu einem anderen Server um: Bitten Sie um eine Ausnahme, oder nehmen Sie SMTP_PROXY_URL.',
  open_port_25:
    'Bitten Sie Ihren Hoster, ausgehenden Port 25 zu öffnen (die meisten Clouds sperren ihn, Heimanschlüsse immer), oder setzen Sie SMTP_PROXY_URL (oder einen Eintrag von SMTP_EGRESS) auf einen SOCKS5-Proxy auf einer Maschine, wo er offen ist.',
  read_reply:
    'Lesen Sie die Antwort: Meist steht die Adresse auf einer Sperrliste, oder sie hat keinen Rückwärtsnamen.',
  try_again: 'Versuchen Sie es noch einmal; schlägt es wieder fehl, sperrt der Anbieter die Adresse.',
  end_inspection:
    'Eine Firewall oder ein Proxy unterwegs verändert SMTP (oft „SMTP inspection“ oder „fixup“ genannt): Schalten Sie das aus, oder nehmen Sie einen anderen Ausgang.',

  set_public_address:
    'Setzen Sie EGRESS_IPS auf die öffentliche Adresse, die des Gateways oder des Proxys (bei mehreren Ausgängen: NAME=ADRESSE).',
  set_name_to_reverse:
    'Setzen Sie SMTP_HELO_NAME auf den Rückwärtsnamen der Adresse: Viele Server lehnen Adressen an dieser Stelle ab.',
  set_whole_name: 'Setzen Sie SMTP_HELO_NAME auf einen vollständigen Hostnamen, etwa verify.example.org.',
  give_name_address: 'Geben Sie {name} einen A-Eintrag (oder AAAA) mit der Adresse, die Mailserver sehen.',
  correct_name_address:
    'Berichtigen Sie den Adresseintrag von {name}, oder setzen Sie SMTP_HELO_NAME auf den Rückwärtsnamen von {address}.',
  set_reverse:
    'Bitten Sie den Inhaber der Adresse (Ihren Hoster; oft ist es ein Feld in dessen Konsole), den Rückwärtsnamen von {address} auf {name} zu setzen.',
  set_reverse_and_forward:
    'Bitten Sie den Inhaber der Adresse (Ihren Hoster; oft ist es ein Feld in dessen Konsole), den Rückwärtsnamen von {address} auf {name} zu setzen, und sorgen Sie dafür, dass dieser Name die Adresse {address} hat.',
  use_reverse_or_set:
    'Setzen Sie SMTP_HELO_NAME auf {reverse}, oder bitten Sie den Inhaber der Adresse (Ihren Hoster; oft ist es ein Feld in dessen Konsole), den Rückwärtsnamen von {address} auf {name} zu setzen.',

  set_sender:
    'Setzen Sie SMTP_MAIL_FROM auf eine Adresse, die es gibt, in einer Domain von Ihnen, die Mail annimmt.',
  give_mx_or_set_sender:
    'Geben Sie {domain} einen MX-Eintrag, oder setzen Sie SMTP_MAIL_FROM auf eine Adresse, die es gibt, in einer Domain von Ihnen, die Mail annimmt.',
  add_to_spf: 'Fügen Sie {term} in den SPF-Eintrag von {domain} ein, vor dessen „all“.',
  add_spf: 'Geben Sie {domain} den TXT-Eintrag „v=spf1 {term} -all“.',
  correct_spf:
    'Geben Sie {domain} einen einzigen SPF-Eintrag, ohne unbekannte Bestandteile, der höchstens 10 Abfragen braucht (RFC 7208 §4.6).',
  include_in_spf: 'Sorgen Sie dafür, dass er {address} enthält.',

  wait_for_removal:
    'Schlagen Sie sie unter {url} nach; der Eintrag verschwindet von selbst, wenn die Meldungen aufhören.',
  request_removal:
    'Die Liste enthält Adressen, die nicht selbst Mail senden sollen: Beantragen Sie die Streichung unter {url}, oder nehmen Sie eine andere Adresse.',
  remove_cause:
    'Schlagen Sie den Grund unter {url} nach, beheben Sie die Ursache, und beantragen Sie dort die Streichung.',
  own_resolver_for_list:
    'Sie bedient keine öffentlichen Nameserver: Betreiben Sie einen eigenen und nennen Sie ihn in DNS_SERVERS, oder schlagen Sie {subject} unter {url} nach.',
  look_up: 'Schlagen Sie {subject} unter {url} nach.',
  list_closed:
    'Die Liste gibt es nicht mehr, oder der Nameserver verbirgt sie: Betreiben Sie einen eigenen und nennen Sie ihn in DNS_SERVERS, oder schlagen Sie {subject} unter {url} nach.',
  list_broken:
    'Sie ist außer Betrieb, oder der Nameserver antwortet auch für Namen, die es nicht gibt; das zeigt die Prüfung des Nameservers. Oder schlagen Sie {subject} unter {url} nach.',
};

export const checkSentencesDe = { checkFound: FOUND, checkRemedies: REMEDIES };
