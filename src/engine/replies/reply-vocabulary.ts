import { BLOCKLISTS } from './blocklists.js';

/**
 * The words of replies, by concept. `*` at the end matches any rest of a word, `_` joins the words of a
 * phrase. Accents and case are ignored. The words of English, German, French, Spanish, Italian,
 * Portuguese, Dutch, Polish, Czech, Swedish and Russian are in one table: a word has one meaning.
 */
export const WORDS_OF: Readonly<Record<string, string>> = {
  // Subjects.
  mailbox: `employee* staff student* mitarbeiter* personne persona identity uid maildrop mail_drop collaborat*
    user usr username userid email_account email_accounts mail_account e_mail_account mailbox mailboxes mbox mbx mailbx inbox account acct alias aliases person
    customer mailuser mail_box mail_boxes mailbox_name user_name account_name local_part localpart local_user
    utilisateur* usager* boite boites compte comptes abonne benutzer* nutzer* anwender* postfach* mailfach*
    konto konten teilnehmer* kunde kunden usuario* buzon* cuenta* casilla* cliente utente utenti casella caselle
    conta caixa utilizador* gebruiker* postbus* klant uzytkownik* skrzynk* konta uzivatel* schrank* ucet ucty
    пользовател* ящик* аккаунт* абонент* учетн* anvandare brevlada kullanici domino_directory
    final_delivery_user final_delivery_userid final_delivery_point delivery_point delivery_user
    domain_user domain_mailbox domain_account delivery_userid`,
  recipient: `destin* modtager vastaanottaj* cimzett*
    recipient recip rcpt addressee rcptto rcpt_to destination destinataire* empfanger* empfaenger*
    adressat* destinatari* destinatario* destino ontvanger* odbiorc* odbiorca prijemce получател* адресат* mottagare
    alici target_address
    your_recipient your_recipients your_addressee`,
  address: `address addr adress mailaddress mailaddr emailaddress email_address mail_address e_mail_address
    adresse adressen emailadresse mailadresse anschrift direccion* indirizz* endereco* adres adresu adresa
    adresy адрес*`,
  mail: `mail email mails emails courriel courrier почт* e_mail e_mails`,
  message: `message messages msg letter nachricht* mensaje* messaggi* mensage* bericht* wiadomos* zprav* сообщени*
    письм* content body data attachment header subject transmission`,
  sender: `sender senders mailfrom mail_from return_path returnpath envelope_from envelope_sender from_address
    from_domain from_header originator originating expediteur* emetteur* absender* remitente* mittent* remetent*
    afzender* nadawc* odesilatel* отправител* spoof* forge* forgery impersonat* badmailfrom purported fake
    batv srs prvs`,
  client: `ip ips ipv ipaddress ip_address ptr rdns helo ehlo isp reverse_dns reverse_hostname
    reverse hostname remotehost client dynamic geographic* country countries region dial_up dialup residential
    fcrdns ip_name ipname ip_lookup`,
  host: `host hosts server servers machine serveur* servidor* serwer* server* сервер* mailserver smtp`,
  your: `your yours you votre vos ihre ihr su sus tu suo tuo seu sua uw twoj* ваш* вас vous usted`,
  domain: `domain domains domaine* domane* dominio* domini domein* domen* домен* hostname_unknown`,
  dns: `dns nameserver name_server mx mxs mxrecord mx_record resolv* nxdomain a_record txt record dnssec
    dns_record dns_records`,
  group: `list lists mailing_list group groups distribution grupo liste grupa`,
  member: `member members moderat* nonmember subscriber subscribe*`,
  // Requests to the client.
  proof: `spf dkim dmarc arc sasl login credential* password unauthenticated authenticat* auth auths certificate
    smtp_auth sender_id cert
    licence license subscription trial`,
  tls: `tls ssl starttls encrypt* secure_connection`,
  relay: `relay relays relaying relayed gateway gatewaying rcpthosts nonlocal open_relay relais weiterleit*
    forward* locally_hosted`,
  // Reasons to refuse a client.
  listed: `${BLOCKLISTS.join(' ')} blacklist* blocklist* denylist* rbl rbls dnsbl dnsbls drbl cbl xbl sbl pbl zen invaluement
    listed listing black_list black_lists block_list block_lists deny_list ivmsip psbl notauthorizederror ipauth spamrl bl
    njabl ipcheck list_of_blocked czarn* listy`,
  spam: `spam spammer* spamming antispam* junk junkmail unsolicited virus* malware phish* bulk ube uce suspicious
    suspect* harvest* complaint* unwanted abuse abusive reputation infected trojan spamassassin score karma 188131 blockedmessage
    spamfilter* redundant marketing`,
  policy: `policy policies prohibit* restrict* permission* permit_list administrat* security rule rules filter
    filters filtered politique* richtlini* politica* zasad* regras preference* acl whitelist* white_list safelist
    safe_list allowlist banned_word governance compliance quarantin* blocked_by protected`,
  access: `access acces zugriff acceso accesso acesso dostep dostepu toegang доступ
    rights right permission_for privileges privilege`,
  // Statements about a mailbox.
  unknown: `introuvable* inesist* onbestaand* nieistniej* neexist* несуществ* неизвестен невідом* ukendt ukjent tuntematon ismeretlen necunoscut bulunamadi yok αγνωστ* unauffindbar nonworking
    unknown unknow inconnu* unbekannt* desconocid* sconosciut* desconhecid* onbekend* nieznan* neznam*
    неизвест* nonexist* non_exist* non_existent inexist* unrecogni* unregistered unassigned unallocated
    nosuchuser 6596 misspelled mistyped misspelt typo typos okand notfound not_found no_longer_exists unroutable
    unrouteable undeliverable unlisted cannot_resolve could_not_resolve unable_to_resolve unidentified unresolvable unresolved unavail_user ghost
    not_listed is_not_listed isn't_listed unprovisioned`,
  exist: `cadastrad* hittad* hittas findes finnes letezik exista υπαρχει найдено знайдено mevcut
    exist exists existing existant existiert existieren existe existen existent existente esiste bestaat
    bestat istnieje existuje существует существу* found find gefunden trouve trouvee encontrado encontrada
    encuentra encontro trovato encontrado gevonden znaleziono nalezen найден* known know knows bekannt connu
    connue conocido conocida conosciuto conhecido bekend znany znany известен recogni* recognized registered
    enregistre registrad* registriert zarejestrowan* зарегистр* present presente vorhanden hosted located
    resolved identified exits here_by_that_name finns
    provision* heard heard_of`,
  valid: `valid valide gultig* gueltig* valido valida validos proper geldig* prawidlow* действител* correct`,
  invalid: `errat* errad* equivocad* incorret* incorrectly improper unusable pogresn* invalida
    invalid* bad illegal wrong incorrect erroneous errone* erronea ungultig* ungueltig* falsch* nieprawidlow*
    неверн* недейств* badrcpt badrcptto ongeldig* neplatn* nevalid* bogus badaddress`,
  closed: `suspended deactivated terminated discontinued cancelled inactivated bloccat* inutilizz* inattiv* inativ* desabilitad* suspens* inactie* inaktiv* abgeschaltet abgelaufen gekundigt gekuendigt resili* clotur* perime dada_de_baja baja abbandonat* eliminat* cancellat* gesloten verlopen nieczynn* zamkniet* skasowan* nieuzywan* neaktivn* заморож* просроч* деактив* sparrad* stangd* kapali pasif askiya obsolete
    disabled disable suspend* inactive inactiv* inactivat* deactivat* discontinu* terminat* closed frozen
    froze expired expire expiry expiration cancel* locked lock dormant abandon* retired decommission* revoked
    barred deleted delete deletion removed unused inactivity poped purged desactiv* suspendu* ferme fermee
    deaktiviert* gesperrt* geschlossen geloscht geloescht stillgelegt deshabilit* desactivad* bloquead* caducad*
    expirad* expirado cerrad* eliminad* disattivat* disabilitat* sospes* scadut* chius* rimoss* desativad*
    encerrad* excluid* gedeactiveerd* opgeheven geblokkeerd* geschorst verwijderd zablokowan* zawieszon*
    nieaktywn* usuniet* wylaczon* отключен* отключён* заблокирован* удален* удалён* закрыт* неактив*
    приостанов* blokovan* zrusen* avslutad passive dead defunct shut_down disableduser
    switched_off turned_off out_of_service on_hold archived put_on_hold`,
  active: `active activ aktiv actif activo activa attivo attiva ativo ativa aktywn* активн* enabled actived
    activated in_use`,
  gone: `old formerly previous former_employee more_longer
    no_longer anymore any_more moved left_the departed ya_no ne_plus nicht_mehr nao_mais non_piu więcej
    больше gone left quit has_left changed ceased former`,
  full: `satur* riempit* remplie gefullt ausgeschopft erschopft llenad* agotad* esaurit* lotad* esgotad* zapelnion* fylld overfylld filled no_room no_free_space maxed
    full overquota over_quota overfull pleine plein plena voll volles uberfullt ueberfuellt lleno llena
    llenos piena pieno cheia cheio vol overvol peln* pelna przepeln* przekroczyl переполн* заполнен* plna
    mailboxfull overdrawn full_mailbox overquotaperm overquotatemp`,
  exceed: `exceed exceeds exceeded exceeding exceded exeed* over uberschr* ueberschr* excede* excedid* depass*
    superat* superad* exced* przekrocz* превышен* превыс* out_of insufficient not_enough lack_of reached
    reach_limit overschreden used_up too_little no_space no_more limite_superato violat* overlimit overuse*
    exhausted hit past above over_the_limit outofspace
    not_have_enough has_not_enough doesn't_have_enough larger_than bigger_than no_more_space
    does_not_have_enough do_not_have_enough not_sufficient no_sufficient`,
  quota: `quota quotas storage space diskspace disk disk_space allocation capacity speicher* speicherplatz
    stockage espace espacio spazio almacenamiento cuota* quote miejsc* armazenamento opslag* espaco квот*
    inode inodes blocks block_limit diskquota maildir too_many_messages_on too_many_messages_in allocated
    mailbox_size_limit mailbox_size
    space_available available_space maximum_mailbox_size max_mailbox_size mailbox_storage
    free_space
    disc disc_space mailfolder mail_folder allowed_quota`,
  limit: `limit limits maximum max threshold limite limiet limitu лимит* allowance too_large too_big size grosse
    allowed_size groot rozmiar taille`,
  rate: `rate rates rated too_many too_much too_fast too_quickly frequency frequent fast quickly throttl*
    concurrent connections connection connect hourly per_hour per_day daily minute recent simultaneous volume
    trop zu_viele zuviele zu_viel demasiad* troppi muitos hour today consecutive errors_from unusual receivingrate receivingrateperm unsolicitedratelimiterror`,
  later: `temporar* temporaire* tempor* later again retry retried wait busy currently moment momentarily deferred
    defer deferring plus_tard spater spaeter mas_tarde piu_tardi mais_tarde pozniej позже позднее временно
    transient soon overload* overloaded maintenance migrat* riprov* essayer erneut intentelo in_progress
    progress pending momentan* tijdelijk* tymczasow* greylist* graylist* grey_list gray_list greylisting`,
  fault: `error errors failure failures failed fail internal problem trouble configuration config misconfig* lookup
    backend database ldap timeout timed_out unreachable system resource* memory crash panic io output
    i_o service dienst servicio servizio serwis exception bug fehler erreur errore error* hardware replicat*
    unexpected malfunction
    open opening read reading write writing append stat chdir fsync unlink cannot_lock unable_to_lock could_not_lock
    cannot_access unable_to_access could_not_access cannot_create unable_to_create could_not_create can't_create can't_lock can't_access
    disk_error disk_write write_error queue_file disk_failure io_error
    mailbox_store mailbox_database mailbox_server user_database account_database user_store`,
  verify: `verif* callout call_out callback check checks checked validat* confirm* probe`,
  loop: `loop looping looped hop hops circular received_times too_many_hops maximum_hop`,
  syntax: `syntax format malformed parameter* argument* args command commands rfc character* literal implemented
    fqdn fully_qualified qualified utf utf8 smtputf8 ascii sequence pipelining bare unsupported address_literal
    protocol invalid_syntax parse brackets`,
  // Actions.
  reject: `reject* refus* deni* deny denying block* ban bans banned banning decline* dropped drop abgelehnt abgewiesen
    zuruckgewiesen zurueckgewiesen verweiger* rechaz* rifiut* rejet* recus* rejeit* geweigerd odrzuc* odmow*
    отклон* отказ* disallow* discard* unaccept* bounce* not_ok unauthorized unauthorised declined denegad*
    negat* negad* interdit* verboten go_away dont_want does_not_want`,
  accept: `accept accepts accepted accepting acceptable receive receives receiving recieve acept* accett* aceit*
    akzept* angenommen annehmen przyjm* przyjet* принима* принят* take takes taking want wants wish accepte
    recoit recibe
    receiving_mail configured_to_receive bounces_back`,
  deliver: `deliver delivers delivered delivery delivering deliverable send sends sending sent zugestellt
    zustellung livr* entreg* consegn* dostarcz* достав* distribu* remis`,
  allowed: `allow allows allowed permit permits permitted authorise* authoriz* authorised authorized approved
    erlaubt zugelassen autoris* autoriz* permess* permitid* dozwolon* разреш* eligible entitled access_to`,
  available: `available availability disponible disponibile disponivel verfugbar erreichbar dostepn* beschikbaar
    reachable dostupn* доступен доступна online ready`,
  unavailable: `unavailable indisponible indisponivel unreachable_mailbox nicht_verfugbar nicht_erreichbar
    niedostepn* недоступ*`,
  have: `have has having got hat gibt tiene tem heeft possede posiada possui hay had`,
  local: `local lokal* locale locally`,
  // Prefixes of replies.
  filler: `error_, err_, delivery_error delivery_error_dd requested_action_not_taken requested_mail_action_not_taken
    requested_mail_action_aborted requested_action_aborted mta sorry dd sorry_, delivery_failed_,`,
  refusal: `recipient_address_rejected recipient_rejected all_recipient_addresses_rejected address_rejected rcpt_rejected
    rejected_recipient command_rcpt`,
  // Negations and other words of the sentence.
  no: `no nessun* aucun* kein* ningun* nenhum* geen brak нет none zadn* any_such without`,
  not: `not n never non dont doesnt doesn't don't dosn't dosen't didn't isn't wasn't aren't
    won't isnt wont hasn't haven't does_nt didnt nicht niet pas nie ne не nao nem inte
    does_not do_not did_not is_not was_not are_not has_not have_not will_not`,
  cannot: `cannot cant can't couldn't couldnt unable could_not can_not not_able_to`,
  from: `from`,
  such: `such tal este ese dicha dicho tel telle takiego takie такой такого solch* quel questa questo dieser diese cette`,
  here: `here this_server on_this this_location this_system this_domain our hier aqui qui ici tutaj здесь that_name`,
  our: `system_wide we us`,
  reach: `tried_to_reach trying_to_reach tried_to_contact trying_to_contact attempted_to_reach want_to_reach
    you_tried_to_reach that_you_tried_to_reach you_are_trying_to_contact you_are_trying_to_reach
    that_you_are_trying_to_reach you_tried_to_contact`,
  table: `table directory directories map recipient_list userdb database_entry lookup_table local_recipient_table
    virtual_alias_table relay_recipient_table virtual_mailbox_table directorio annuaire verzeichnis
    in_user_database in_the_user_database in_our_user_database in_our_database in_the_database user_base`,
  nomail: `does_not_accept_mail not_accept_mail accept_no_mail accepts_no_mail nullmx null_mx`,
  see: `see visit contact information help support please details refer click learn consult questions ask veuillez
    bitte por_favor prosimy`,
};

/** Phrases of languages that are written without spaces between words. */
export const UNSPACED: Readonly<Record<string, string>> = {
  mailbox:
    '用户 用戶 邮箱 郵箱 信箱 账号 帐号 帳號 账户 帐户 ユーザー ユーザ メールボックス アカウント 사용자 이용자 회원 계정 편지함 메일함 아이디 ผู้ใช้ บัญชี กล่องจดหมาย กล่องเมล ตู้จดหมาย',
  recipient: '收件人 收信人 接收者 宛先 受信者 送信先 あて先 宛て先 수신자 수신인 받는사람 받는 ผู้รับ',
  address: '地址 アドレス 주소 ที่อยู่',
  mail: '邮件 郵件 信件 メール 메일 อีเมล จดหมาย',
  sender: '发件人 發件人 寄件人 发信人 差出人 送信者 발신자 보낸사람 ผู้ส่ง',
  domain: '域名 ドメイン 도메인 โดเมน',
  client: '客户端 服务器地址',
  syntax: '格式 形式 書式 형식 语法 語法 構文',
  gone: '使われておりません 使われていません 使用されていません 不再使用 已不使用 사용하지 사용되지',
  unknown:
    'ありません いません ございません おりません 没有该 没有這個 没有邮箱 没有账号 没有帐号 없습니다 不存在 无此 無此 没有这个 没有此 查无 未找到 找不到 存在しません 存在しない 見つかりません 見つからない 不明 존재하지 없는 없습니다 없음 찾을 등록되지 알수없는 ไม่มี ไม่พบ ไม่รู้จัก ไม่ปรากฏ',
  invalid: '无效 無效 错误的 不正な 無効な 正しくありません 잘못된 ไม่ถูกต้อง',
  closed:
    '停用 禁用 冻结 凍結 注销 封禁 被锁 锁定 过期 已关闭 停止 無効化 利用停止 閉鎖 解約 휴면 정지 중지 탈퇴 해지 비활성 폐쇄 만료 잠긴 잠금 삭제된 사용중지 ระงับ ถูกปิด ปิดใช้งาน ถูกลบ ถูกล็อก หมดอายุ ยกเลิก',
  full: '已满 已滿 满了 一杯 いっぱい 満杯 超過 容量オーバー 초과 가득 เต็ม',
  quota: '容量 空间 空間 配额 ディスク 용량 พื้นที่',
  exceed: '超过 超出 不足',
  reject: '拒绝 拒絕 拒收 拒否 屏蔽 阻止 거부 차단 ปฏิเสธ',
  spam: '垃圾 迷惑 스팸',
  rate: '频率 過多 太多 过多 频繁 過ぎ',
  later: '暂时 稍后 稍後 一時 しばらく 再試行 나중에 일시 ชั่วคราว ภายหลัง',
  policy: '策略 规则 权限 許可 ポリシー 정책',
};
