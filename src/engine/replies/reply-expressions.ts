import { words } from '../../kernel/text/words.js';

/**
 * Expressions for one state of a mailbox, or of something else, in many languages: by the concepts and in the
 * notation of `reply-vocabulary.ts`. A language says "in use", "no account" or "nobody" in several words, which
 * mean nothing one by one.
 */

/** "The remote server returned:" introduces the reply of another server, and says nothing by itself. */
const REPORTERS = `remote remote_server remote_host remote_mta remote_system remote_mail_server remote_smtp_server
  destination_server destination_host destination_system destination_mail_server receiving_server receiving_host
  receiving_system receiving_mta recipient_server upstream upstream_server upstream_host next_hop backend
  backend_server other_server final_server mail_server target_server`;
/** Verbs between the two: "the remote server said". */
export const REPORTING_VERBS = words(
  'said says replied answered responded returned reported reports states stated gave',
);
const REPORTED = [
  ...REPORTING_VERBS,
  ...REPORTING_VERBS.map((verb) => `has_${verb}`),
  ...words(`told_us rejected_with said_that reports_that reported_that answered_with replied_with responded_with returned_with
    returned_error returned_an_error returned_the_error`),
];

const REPORTS = words(REPORTERS).flatMap((who) => REPORTED.map((verb) => `${who}_${verb}`));

export const EXPRESSIONS_OF: Readonly<Record<string, string>> = {
  sender: `header_from bounce_address reply_to_address reply_address`,
  recipient: `modtageren mottagarens`,
  your: `sie_haben sie_sind sie_durfen ihr_habt`,
  reach: `you_entered you_have_entered you_typed you_specified you_gave you_supplied you_used you_provided you_are_mailing you_are_writing_to you_are_sending_to you_wrote_to you_mailed you_are_emailing`,
  domain: `hosting_account hosting_plan web_hosting webhosting for_this_domain for_the_domain for_that_domain`,
  see: `your_administrator your_system_administrator your_mail_administrator your_postmaster your_admin your_email_administrator your_it the_postmaster`,
  limit: `number_of_recipients`,
  proof: `signature* signed digitally_signed`,
  quota: `cota cotas hard_quota soft_quota allotted allotment kvoten levyn levykiintio* kvote kvoten kvota`,
  mail: `messagerie`,
  /** Things that are no mailbox, and can be unknown or closed too. */
  thing: `route routes mime type types mimetype charset encoding version option extension feature session sessions token tokens ticket tickets key keys template templates rule_set cookie challenge certificate_store file files plugin module license_key`,
  filler: `in_reply_to_rcpt_to_command in_reply_to_rcpt_to in_reply_to_end_of_data_command in_reply_to_mail_from_command ${REPORTS.join(' ')} entfernte_server_antwortete entfernte_server_meldete entfernte_server_sagte
    entfernter_server_antwortete gegenstelle_antwortete gegenstelle_meldet gegenstelle_meldete zielserver_antwortete
    zielserver_meldet zielserver_meldete serveur_distant_a_repondu serveur_distant_repond serveur_distant_a_retourne
    serveur_destinataire_a_repondu servidor_remoto_respondio servidor_remoto_ha_respondido servidor_remoto_dijo
    servidor_remoto_devolvio servidor_remoto_respondeu servidor_remoto_retornou servidor_remoto_disse
    server_remoto_ha_risposto server_remoto_ha_restituito server_remoto_risponde externe_server_antwoordde
    andere_server_antwoordde externe_server_meldt zdalny_serwer_odpowiedzial serwer_zdalny_odpowiedzial
    vzdaleny_server_odpovedel удаленный_сервер_ответил удаленный_сервер_сообщил fjarrservern_svarade
    fjernserveren_svarte fjernserveren_svarede etapalvelin_vastasi tavoli_kiszolgalo_valasza uzak_sunucu_yanitladi`,
  // The written form of an address.
  syntax: `sintax* syntaks* szintax* syntaxe syntaxfehler sozdizim* сintaks* синтакс* формат* formato formatu formaat
    adressformat* adresformaat muoto muotoa muodo* formatum* cimformatum* bicim* bicimi notation schreibweise spelling
    formaatti opmaak`,
  dns: `dns_eintrag dns_eintrage mx_eintrag enregistrement_dns enregistrement_mx registro_dns registros_dns registro_mx
    record_dns record_mx rekord_dns rekord_mx zaznam_dns dns_zaznam запись_dns dns_entry mx_entry dns_entries a_records mx_records
    resource_record resource_records aaaa aaaa_record dns_rekord dns_registro dns_post`,
  // Lists and groups that are addresses.
  group: `mailingliste* mailinglist* mailinglijst* mailinglista* mailing_lists mailing_group verteiler verteilerliste* emailverteiler listserv
    distribution_list distribution_lists distribution_group distribution_groups newsgroup liste_de_diffusion liste_d_envoi
    lista_de_correo lista_de_distribucion lista_de_distribuicao lista_di_distribuzione lista_dyskusyjna lista_mailingowa
    lista lists grupa gruppe gruppo groupe grupo groep gruppen skupina группа список_рассылки рассылка рассылки distributionslista
    postilista levelezolista emailing_list mail_group mail_list email_list email_group`,
  member: `mitglied* membre* miembro* membro membri medlem* lid clen* член* abonnent* iscritt* suscript* abonne_a`,
  // Disuse.
  gone: `no_more_in_use no_longer_in_use not_in_use_anymore not_in_use_any_more not_in_use_any_longer not_in_use no_more_used no_more_being_used
    no_longer_used no_longer_being_used not_used_anymore not_used_any_more not_used_any_longer not_being_used is_not_used isn't_in_use isn't_used
    out_of_use fallen_out_of_use gone_out_of_use taken_out_of_use never_in_use no_longer_active no_longer_valid no_longer_available
    no_longer_exists nicht_mehr_verwendet nicht_mehr_benutzt
    nicht_mehr_genutzt nicht_mehr_in_gebrauch nicht_mehr_in_benutzung nicht_mehr_in_verwendung ausser_gebrauch nicht_langer_verwendet nicht_mehr_aktiv
    n_est_plus_utilisee n_est_plus_utilise n_est_plus_en_service n_est_plus_en_usage n_est_plus_active n_est_plus_valide plus_utilise
    plus_utilisee n_est_plus_employee n_existe_plus hors_service ya_no_se_usa ya_no_se_utiliza ya_no_esta_en_uso ya_no_es_utilizada ya_no_es_utilizado
    no_se_usa_mas en_desuso ya_no_existe ya_no_es_valida non_e_piu_in_uso non_piu_in_uso non_e_piu_utilizzato non_e_piu_utilizzata non_e_piu_usato non_viene_piu_usato
    non_e_piu_attivo non_e_piu_attiva non_e_piu_valido in_disuso nao_e_mais_utilizado nao_e_mais_usado nao_esta_mais_em_uso ja_nao_esta_em_uso nao_e_mais_utilizada
    ja_nao_e_utilizado ja_nao_e_usado nao_existe_mais em_desuso niet_meer_in_gebruik niet_langer_in_gebruik niet_meer_gebruikt niet_meer_actief buiten_gebruik
    nie_jest_juz_uzywany nie_jest_juz_uzywane nie_jest_juz_uzywana juz_nieuzywany juz_nie_uzywany juz_nie_istnieje nie_jest_uzywany se_jiz_nepouziva jiz_nepouziva uz_nepouziva
    neni_pouzivana jiz_neexistuje больше_не_используется уже_не_используется не_используется больше_не_существует анvands_inte_langre
    anvands_inte_langre anvands_ej_langre anvands_inte_mer inte_langre_i_bruk er_ikke_laengere_i_brug ikke_laengere_i_brug bruges_ikke_laengere ikke_i_brug
    er_ikke_lenger_i_bruk ikke_lenger_i_bruk brukes_ikke_lenger ikke_i_bruk ei_ole_enaa_kaytossa ei_ole_kaytossa ei_enaa_kaytossa
    mar_nincs_hasznalatban nincs_hasznalatban mar_nem_hasznaljak artik_kullanilmiyor artik_kullanilmamaktadir kullanilmiyor kullanim_disi 더_이상_사용하지_않는`,
  /** The owner's log-in or use of the mailbox. */
  mailbox: `mail_user email_user mail_users`,
  use: `log_in logged_in logged_on log_on logged signed_in sign_in accessed used use uses using activity read_mail opened utilise utilisee connecte connectee
    activite angemeldet eingeloggt benutzt genutzt verwendet gebraucht aktivitat usado usada utilizado utilizada accedido iniciado_sesion conectado
    actividad usato usata utilizzato utilizzata effettuato_l_accesso accesso_effettuato attivita acessa acessou acessada utilizou usou atividade ingelogd
    gebruikt activiteit logowal logowal_sie zalogowal uzywal uzywany uzywana uzywane korzystal aktywnosc aktywnosci prihlasil pouzil pouzivan pouzita aktivita
    заходил входил использовал используется использовался активность активности loggat_in anvant aktivitet logget_inn logget_ind brugt brukt
    kirjautunut kayttanyt kaytetty jelentkezett hasznalta giris_yapmadi kullanmadi kullanilmadi`,
  disuse: `last_login last_logged_in last_log_in last_logon last_sign_in last_access last_accessed last_used last_activity last_active
    no_login no_logins no_log_in without_login no_activity no_recent_activity without_activity lack_of_activity letzte_anmeldung letzter_login letzter_zugriff zuletzt_angemeldet keine_anmeldung
    keine_aktivitat ohne_aktivitat derniere_connexion dernier_acces aucune_activite sans_activite aucune_connexion ultimo_acceso ultima_conexion sin_actividad sin_acceso
    ninguna_actividad ultimo_accesso nessuna_attivita senza_attivita nessun_accesso ultimo_acesso sem_atividade sem_acesso nenhuma_atividade
    laatste_login laatste_aanmelding geen_activiteit zonder_activiteit ostatnie_logowanie brak_aktywnosci bez_aktywnosci posledni_prihlaseni bez_aktivity
    zadna_aktivita последний_вход нет_активности без_активности senaste_inloggning ingen_aktivitet siste_innlogging seneste_login ei_toimintaa viimeisin_kirjautuminen
    utolso_bejelentkezes son_giris`,
  closed: `cessat* avslutat* deprovision* no_longer_in_service not_in_service lapsed withdrawn avstangt avstangd tiltva letiltva shut gone_inactive inactif inactive_since inattivo inactivo inativo ended has_ended has_been_ended eingestellt beendet shut_down closed_down been_shut_down wound_up
    ceased_operation discontinued zrusena zrusen nieaktywne inaktivt inaktiv inaktiivinen passif`,
  /** A span of time, with which disuse is told. */
  span: `months month years year weeks days january february march april june july august september october november december seit monaten monate jahr jahren jahre tagen wochen
    depuis mois ans annee annees jours desde meses anos dias hace mesi mese anno anni giorni ha_meses maanden jaar dagen sinds miesiecy lat dni mesicu
    let месяцев лет года дней manader ar_sedan sedan maneder siden kuukautta vuotta honapja eve aydir yildir`,
  // Nobody.
  nobody: `nobody noone no_one no_body there_isn't_anyone isn't_anybody not_anybody no_longer_anybody no_longer_anyone not_anyone isn't_anyone niemand niemanden keiner plus_personne
    n_y_a_personne n_y_a_plus_personne personne_a_cette personne_de_ce personne_de_ce_nom personne_ne personne_avec_ce nadie ninguna_persona nessuno ninguem nikt nikogo nikdo nikoho никто никого
    ingen_person ingen_med ei_ketaan ei_ole_ketaan senki kimse`,
  address: `adresem adrese adresie adresu adresa adresou adresom адресу адреса osoitteessa osoitteella cimen cimmel adreste adressen emailom mailadres mailcim`,
  // Served, routed, set up.
  '!serve': `no_route_for no_route_for_this no_route_to_this_address no_route_to_the_address no_route_to_recipient no_route_to_the_recipient no_route_to_user no_routing_for`,
  '!have': `non_ha_un non_ha_una non_ha_alcuna non_ha_nessun non_possiede nie_ma_tu nie_ma_tutaj nie_ma_konta nie_posiada не_имеет не_имеется
    ei_ole_tilia har_inget har_inte_nagot har_ingen har_ikke_en har_ikke_noen nincs_postafiokja nincs_fiokja hesabi_yok`,
  '!use': `did_not_check not_checked hasn't_checked never_checked`,
  here: `su_questo su_questa su_questo_server that_name this_name by_name by_the_name diesem_namen dem_namen ce_nom ce_nom_la questo_nome ese_nombre este_nombre esse_nome este_nome deze_naam
    die_naam tym_imieniem takim_imieniem timto_jmenem этим_именем таким_именем det_namnet det_navn dette_navnet nimella neven`,
  not: `neni nejsou avez_pas`,
  serve: `served serves serve serviced handled handle handles handling managed manage maintained administered administrated routed routable mapped mapping mappings set_up
    bedient verwaltet eingerichtet angelegt betreut gefuhrt geree gerees gere geres gerons desservi* prise_en_charge pris_en_charge traitee atendid* gestionad* servid* configurad* gestit* servit* configurat* gerid* beheerd bediend ingesteld afgehandeld
    obslugiwan* obsluhov* obsluz* spravov* обслужив* обслужен* настроен* hanteras betjanas behandles betjenes kasitella hallinnoid* kezelt kezeli`,
  unknown: `doesn't_live_here does_not_live_here gibt_es_nicht gibt_es_hier_nicht no_registration_for not_resolvable isn't_resolvable is_not_resolvable undefined absent missing deceased passed_away graduated failed_to_find failed_to_locate failed_to_resolve failed_to_look_up fails_to_resolve not_on_file not_on_record no_record_of no_records_of
    not_on_our_records no_file_for no_entry_for no_entry_found never_existed never_exists not_a_known doesn't_belong_to does_not_belong_to belongs_to_nobody belongs_to_no_one`,
  exist: `created defined`,
  /** What is unknown in "unknown status of the mailbox" is not the mailbox. */
  state: `status state reason cause result outcome reasons grund status_of motif motivo razon причина powod duvod`,
  /** The owner or the operator closes something: the mailbox, or mail of ours. */
  disabling: `has_disabled have_disabled has_suspended has_switched_off has_turned_off has_blocked has_shut_off has_deactivated has_stopped has_closed`,
  such: `dergelijke`,
  table: `directorio_de_domino domino_verzeichnis member_of_domain member_of_this_domain member_of_the_domain member_of_our_domain routing_table routing_tables our_tables our_table tables routing_map address_table address_map local_tables our_user_list user_list our_list_of_users
    list_of_users list_of_recipients local_list user_list my_local_list local_user_list list_of_local_users database our_database user_table mailbox_table list_of_mailboxes list_of_addresses`,
  // Space.
  nomore: `any_more_mail any_more_mails any_more_email any_more_emails any_more_messages any_more_message any_further_mail any_further_messages any_new_mail any_new_messages any_additional_mail any_additional_messages
    no_more_mail no_more_mails no_more_messages no_more_email no_more_emails no_further_mail no_further_messages no_new_mail no_new_messages no_additional_messages no_additional_mail more_messages more_mail
    keine_weiteren_nachrichten keine_weiteren_mails keine_weiteren_e_mails keine_nachrichten_mehr keine_mails_mehr keine_neuen_nachrichten plus_recevoir plus_de_messages plus_de_place plus_accepter recevoir_de_nouveaux_messages
    mas_mensajes mas_correo mas_correos nuevos_mensajes altri_messaggi nuovi_messaggi ulteriori_messaggi mais_mensagens novas_mensagens geen_berichten_meer geen_nieuwe_berichten geen_mail_meer wiecej_wiadomosci
    zadne_dalsi_zpravy dalsi_zpravy больше_писем новых_писем новые_письма fler_meddelanden flere_meldinger flere_beskeder`,
  count: `message_count messages_count mail_count number_of_messages number_of_mails number_of_emails number_of_stored_messages number_of_items count_of_messages
    count_of_mails amount_of_messages maximum_messages max_messages message_limit messages_limit item_count
    nachrichtenanzahl anzahl_der_nachrichten anzahl_nachrichten nombre_de_messages numero_de_mensajes numero_di_messaggi numero_de_mensagens aantal_berichten liczba_wiadomosci pocet_zprav количество_писем число_писем antal_meddelanden`,
  full: `overflow overflows overflowing overflowed over_capacity at_capacity stuffed bytes_left no_storage_left no_quota_left no_bytes_left no_space_left no_more_storage quota_violation space_violation holds_too_many_messages has_too_many_messages contains_too_many_messages too_many_messages_stored no_room_left no_space_left_in no_room_for
    used_up_his used_up_her used_up_their filled_up full_up filled kein_platz kein_platz_mehr kein_speicherplatz kein_speicherplatz_mehr speicher_voll plus_de_place plus_d_espace espace_insuffisant sin_espacio espacio_insuficiente no_queda_espacio spazio_insufficiente spazio_esaurito senza_spazio
    sem_espaco espaco_insuficiente geen_ruimte geen_ruimte_meer onvoldoende_ruimte brak_miejsca zabrakl* nedostatek_mista neni_misto нет_места недостаточно_места ingen_plats ingen_plass ingen_plads`,
  /** Who is not of the house: a mailbox that is closed to them may be open to others. */
  outside: `external externally extern externe externen externes outside outsider outsiders strangers internal_only internal_use von_aussen aussen exterieur exterieurs externo externos externa esterno esterni esterna
    zewnatrz zewnetrzn* zvenku externi извне внешн* utifran utenfra udefra ulkopuol* kulso disaridan foreign nonlocal_senders offsite`,
  later: `being_moved being_migrated being_created being_rebuilt being_upgraded being_repaired being_converted is_being_set_up vorubergehend* voruebergehend* temporalmente temporaneamente temporariamente docasne zeitweilig zeitweise provisoirement provisional provisionally overgaand
    tillfallig* valiaikais* ideiglenesen versuchen reessayez reessayer essayez intentelo sprobuj zkuste попробуйте`,
};
