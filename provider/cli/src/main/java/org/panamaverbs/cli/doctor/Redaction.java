package org.panamaverbs.cli.doctor;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes what is private out of texts: what a machine's files say is its own, and what has the form of an address, a
 * GUID or a path. Each value has one placeholder, such as {@code <address-2>}, in all texts, so that a reader sees
 * which are the same. Used by one thread.
 */
final class Redaction {
    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .create();

    /** Shorter words are parts of others, and identify nobody. */
    private static final int SHORTEST = 2;
    /** Shorter values of the environment are words as {@code true} and {@code C.UTF-8}. */
    private static final int SHORTEST_SETTING = 8;

    private static final int FIRST_USER = 1000;
    private static final int NOBODY = 65_534;
    private static final Set<String> NOT_PRIVATE =
            Set.of("root", "localhost", "localhost.localdomain", "(none)", "nobody", "none");
    /** What the report is about. */
    private static final Set<String> SAID_ANYWAY = Set.of("VERBS_PROVIDER", "VERBS_DEVICE");
    /** Names of entries whose numbers between dots are those of a version. */
    private static final Set<String> VERSIONS = Set.of(
            "version", "jdk", "firmware", "fw_ver", "fw_version", "kernel", "driverVersion", "libibverbs", "librdmacm");

    private static final int GUID_DIGITS = 4;
    private static final int GID_GROUPS = 8;
    private static final int MAC_GROUPS = 6;
    private static final String HEX = "[0-9a-fA-F]";
    /** Groups of digits between colons; the last may be an IPv4 address. */
    private static final Pattern GROUPS = Pattern.compile("(?<![\\w.<-])(?<!(?<!\\w)" + HEX + "{1,4}:)(?:" + HEX
            + "{0,4}:){2,}(?:(?:\\d{1,3}\\.){3}\\d{1,3}|" + HEX + "{0,4})(?![\\w:])");

    private static final String HOST = "host";
    /** Names of hosts up to this long are words, too, and are replaced only where a host stands. */
    private static final int SHORT_HOST = 2;
    /** A short host with a domain of a local network; io.netty is none. */
    private static final String WITH_DOMAIN =
            ".{1,2}\\.(?:[a-z0-9-]+\\.)*(?:lan|local|localdomain|home|internal|intranet|corp|private)";
    /** What may be the name of a host. */
    private static final Pattern NAME =
            Pattern.compile("(?<![\\p{L}\\p{N}<])[\\p{L}\\p{N}][\\p{L}\\p{N}_-]*(?:\\.[\\p{L}\\p{N}_-]+)*");

    private final Map<String, Map<String, String>> placeholders = new TreeMap<>();
    private final Map<String, String> kinds = new HashMap<>();
    private final List<Form> forms = new ArrayList<>();
    private final Pattern known;
    private final Pattern shortHosts;

    /** What private values of a kind look like. */
    private record Form(String kind, Pattern pattern) {}

    private Redaction(Map<String, String> literals) {
        literals.forEach((literal, kind) -> kinds.put(literal.toLowerCase(Locale.ROOT), kind));
        String any = literals.keySet().stream()
                .filter(each -> !kind(each).equals(HOST))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        known = Pattern.compile(
                any.isEmpty() ? "(?!)" : "(?<![\\p{L}\\p{N}])(?:" + any + ")(?![\\p{L}\\p{N}])",
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        String shorts = literals.keySet().stream()
                .filter(each -> kind(each).equals(HOST) && each.length() <= SHORT_HOST)
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        shortHosts = Pattern.compile(
                shorts.isEmpty()
                        ? "(?!)"
                        : "(?<=@|//|\\b(?:host|hostname|node|peer|server)[ =:]{1,2}|Exception: )(?:" + shorts
                                + ")(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}<./-])(?:" + shorts
                                + ")(?=:\\d|/\\d|/<address|: Name or service)",
                Pattern.CASE_INSENSITIVE);
        form("options", "(?m)(?<=Picked up )\\w+: .*$");
        form(
                "path",
                "(?<![\\w/.<-])/(?!(?:dev|sys|proc|etc|usr|lib|lib64|bin|sbin|run|boot)(?![^\\s/]))[^\\s/\"'`,;:()<>]+"
                        + "(?:/[^\\s\"'`,;:()<>]*)?");
        form("path", "(?<=[ '\"=(])~[^\\s\"'`,;:()<>]*");
        form("interface", "\\b(?:en|eth|ib|roce|iw|opa|wl|ww)x" + HEX + "{12,16}(?!" + HEX + ")");
        form("mac", "(?<![\\w-])" + HEX + "{2}(?:-" + HEX + "{2}){5,}(?![\\w-])");
        form("guid", "(?<![\\w])" + HEX + "{16}(?!\\w)");
        form("id", "\\b" + HEX + "{8}(?:-" + HEX + "{4}){3}-" + HEX + "{12}\\b");
        form("address", "(?<![\\w.])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\w]|\\.\\d)");
        form("user", "(?<=\\buser )\\d+\\b");
    }

    private void form(String kind, String pattern) {
        forms.add(new Form(kind, Pattern.compile(pattern)));
    }

    /**
     * Returns what takes out of texts what {@code machine} shows of its host, users, addresses and serial numbers, and,
     * of the machine that this process runs on, what {@code environment} holds.
     */
    static Redaction of(MachineTree machine, Map<String, String> environment) {
        Map<String, String> literals = new LinkedHashMap<>();
        hosts(machine).forEach(each -> add(each, HOST, literals));
        users(machine, literals);
        addresses(machine, literals);
        Stream.of("product_serial", "board_serial", "chassis_serial", "chassis_asset_tag", "product_uuid")
                .map(each -> machine.text("sys/class/dmi/id/" + each))
                .forEach(each -> addSerial(each, literals));
        addSerial(machine.text("etc/machine-id"), literals);
        if (machine.live()) {
            process(environment, literals);
        }
        return new Redaction(literals);
    }

    private static Stream<String> hosts(MachineTree machine) {
        Stream<String> own = Stream.of(
                        machine.text("proc/sys/kernel/hostname"),
                        machine.text("etc/hostname"),
                        machine.text("proc/sys/kernel/domainname"))
                .flatMap(each -> Stream.of(each, each.replaceFirst("\\..*", "")));
        Stream<String> domains = machine.text("etc/resolv.conf")
                .lines()
                .filter(line -> line.startsWith("search") || line.startsWith("domain"))
                .flatMap(line -> Stream.of(line.strip().split("\\s+")).skip(1));
        Stream<String> others = machine.text("etc/hosts")
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .flatMap(line -> Stream.of(line.split("\\s+")).skip(1))
                .filter(name -> !name.startsWith("ip6-"));
        return Stream.of(own, domains, others).flatMap(each -> each);
    }

    private static void users(MachineTree machine, Map<String, String> literals) {
        for (String line : machine.text("etc/passwd").lines().toList()) {
            String[] fields = line.split(":", -1);
            if (fields.length > 5 && fields[2].matches("\\d{4,9}")) {
                int number = Integer.parseInt(fields[2]);
                if (number >= FIRST_USER && number != NOBODY) {
                    add(fields[5], "home", literals);
                    add(fields[0], "user", literals);
                    add(fields[4].replaceFirst(",.*", ""), "user", literals);
                }
            }
        }
    }

    private static void addresses(MachineTree machine, Map<String, String> literals) {
        for (String network : machine.names("sys/class/net")) {
            addNumber(machine.text("sys/class/net/" + network + "/address"), "mac", literals);
        }
        for (RdmaDevice device : RdmaDevice.all(machine)) {
            addNumber(machine.text(device.directory() + "/node_guid"), "guid", literals);
            addNumber(machine.text(device.directory() + "/sys_image_guid"), "guid", literals);
            device.ports().stream()
                    .flatMap(port -> port.gids().stream())
                    .forEach(gid -> addNumber(gid.value(), "gid", literals));
        }
    }

    private static void process(Map<String, String> environment, Map<String, String> literals) {
        add(System.getProperty("user.home", ""), "home", literals);
        add(System.getProperty("user.dir", ""), "path", literals);
        add(System.getProperty("java.home", ""), "path", literals);
        Stream.of("USER", "LOGNAME", "SUDO_USER")
                .map(name -> environment.getOrDefault(name, ""))
                .forEach(each -> add(each, "user", literals));
        add(System.getProperty("user.name", ""), "user", literals);
        add(environment.getOrDefault("HOSTNAME", ""), HOST, literals);
        try {
            NetworkInterface.networkInterfaces()
                    .filter(each -> !loopback(each))
                    .flatMap(each -> each.getInterfaceAddresses().stream())
                    .map(InterfaceAddress::getAddress)
                    .forEach(each -> add(each.getHostAddress().replaceFirst("%.*", ""), "address", literals));
        } catch (SocketException e) {
            // Addresses have a form that is looked for, too.
        }
        environment.forEach((name, value) -> {
            if (!SAID_ANYWAY.contains(name) && value.length() >= SHORTEST_SETTING) {
                add(value, "environment", literals);
            }
        });
    }

    private static boolean loopback(NetworkInterface network) {
        try {
            return network.isLoopback();
        } catch (SocketException e) {
            return false;
        }
    }

    private static void add(String literal, String kind, Map<String, String> literals) {
        if (literal.length() >= SHORTEST && !NOT_PRIVATE.contains(literal) && !literal.equals("/root")) {
            literals.putIfAbsent(literal, kind);
        }
    }

    /** Adds a number in hex, as it is and without colons, unless it is 0 or all ones as those of nobody are. */
    private static void addNumber(String number, String kind, Map<String, String> literals) {
        String digits = number.replace(":", "");
        if (!digits.isEmpty() && !digits.matches("0*|[fF]*")) {
            add(number, kind, literals);
            add(digits, kind, literals);
            add("0x" + digits, kind, literals);
            String significant = digits.replaceFirst("^0+", "");
            add(significant, kind, literals);
            add("0x" + significant, kind, literals);
        }
    }

    private static void addSerial(String serial, Map<String, String> literals) {
        if (serial.length() > 5 && serial.matches(".*[0-9].*") && !serial.matches("[0 .-]*")) {
            add(serial, "serial", literals);
        }
    }

    String text(String text) {
        String result = replace(GROUPS, withoutKnown(text), this::withoutNumber);
        for (Form form : forms) {
            result = replace(form.pattern(), result, found -> placeholder(form.kind(), found));
        }
        return result;
    }

    private String withoutKnown(String text) {
        String result = replace(known, text, found -> placeholder(kind(found), found));
        return replace(NAME, replace(shortHosts, result, found -> placeholder(HOST, found)), this::withoutHost);
    }

    private String kind(String literal) {
        return kinds.getOrDefault(literal.toLowerCase(Locale.ROOT), "");
    }

    /** Replaces a name that begins or ends, at a dot, with one of a host or domain: a cluster has thousands of them. */
    private String withoutHost(String name) {
        boolean isHost = isHost(name);
        for (int dot = name.indexOf('.'); !isHost && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            String first = name.substring(0, dot);
            boolean isShort = first.length() <= SHORT_HOST && kind(first).equals(HOST) && name.matches(WITH_DOMAIN);
            isHost = isShort || isHost(first) || isHost(name.substring(dot + 1));
        }
        return isHost ? placeholder(HOST, name) : name;
    }

    private boolean isHost(String name) {
        return name.length() > SHORT_HOST && kind(name).equals(HOST);
    }

    /** Replaces groups of digits that are an address or a GUID: places on the PCI bus and times are none. */
    private String withoutNumber(String found) {
        boolean colonBehind = found.endsWith(":") && !found.endsWith("::");
        String number = colonBehind ? found.substring(0, found.length() - 1) : found;
        List<String> groups = List.of(number.split(":", -1));
        String kind = "";
        if (number.contains("::")) {
            kind = "address";
        } else if (groups.stream().allMatch(each -> each.length() == GUID_DIGITS)) {
            kind = groups.size() == GID_GROUPS ? "gid" : "guid";
        } else if (groups.size() >= MAC_GROUPS && groups.stream().allMatch(each -> each.length() == 2)) {
            kind = "mac";
        } else if (groups.size() == GID_GROUPS) {
            kind = "address";
        }
        return kind.isEmpty() ? found : placeholder(kind, number) + (colonBehind ? ":" : "");
    }

    /** Returns JSON with placeholders in all strings, versions left alone; what is no JSON as a text. */
    String json(String json) {
        try {
            JsonElement element = JsonParser.parseString(json);
            return element.isJsonObject() ? GSON.toJson(redacted(element, "")) + "\n" : text(json);
        } catch (JsonParseException e) {
            return text(json);
        }
    }

    private JsonElement redacted(JsonElement element, String name) {
        if (element instanceof JsonObject object) {
            JsonObject result = new JsonObject();
            // Entries of a device's attributes have their names beside their values.
            String named = object.get("name") instanceof JsonPrimitive own ? own.getAsString() : "";
            object.asMap().forEach((key, value) -> result.add(key, redacted(value, key.equals("value") ? named : key)));
            return result;
        }
        if (element instanceof JsonArray array) {
            JsonArray result = new JsonArray();
            array.forEach(each -> result.add(redacted(each, name)));
            return result;
        }
        return element instanceof JsonPrimitive primitive && primitive.isString()
                ? new JsonPrimitive(redacted(primitive.getAsString(), name))
                : element;
    }

    private String redacted(String value, String name) {
        if (VERSIONS.contains(name)) {
            return withoutKnown(value);
        }
        boolean guid = name.toLowerCase(Locale.ROOT).contains("guid") && !value.isEmpty();
        return guid ? placeholder("guid", value) : text(value);
    }

    private static String replace(Pattern pattern, String text, UnaryOperator<String> by) {
        return pattern.matcher(text).replaceAll(found -> Matcher.quoteReplacement(by.apply(found.group())));
    }

    private String placeholder(String kind, String value) {
        if (value.equals("127.0.0.1") || value.equals("::1") || value.equals("0.0.0.0") || value.equals("::")) {
            return value;
        }
        String plain = value.toLowerCase(Locale.ROOT);
        if (kind.equals("guid") || kind.equals("mac") || kind.equals("gid")) {
            plain = plain.replaceFirst("^0x", "").replace(":", "");
        }
        Map<String, String> all = placeholders.computeIfAbsent(kind, key -> new HashMap<>());
        return all.computeIfAbsent(plain, key -> "<" + kind + "-" + (all.size() + 1) + ">");
    }

    /** Returns how many different values of each kind were replaced. */
    Map<String, Integer> replaced() {
        Map<String, Integer> counts = new TreeMap<>();
        placeholders.forEach((kind, values) -> counts.put(kind, values.size()));
        return counts;
    }

    /** Returns the names of those variables of {@code environment} that Java, the libraries or drivers look at. */
    static List<String> settings(Collection<String> names) {
        Pattern matter = Pattern.compile("(VERBS|RDMAV|IBV|MLX[45]|EFA|BNXT|HNS|ERDMA|CXGB4|RDMA)_.*"
                + "|(JDK_)?JAVA_(TOOL_)?OPTIONS|LD_(PRELOAD|LIBRARY_PATH)");
        return names.stream()
                .filter(name -> matter.matcher(name).matches())
                .sorted()
                .toList();
    }
}
